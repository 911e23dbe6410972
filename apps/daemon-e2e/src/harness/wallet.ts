import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { monerodRelease, requireProgram } from './binaries.ts';
import { newFolder } from './run-folder.ts';
import { isObject, listOf, stringOf, type Json, type JsonObject } from './json.ts';
import { freePorts, LOOPBACK } from './ports.ts';
import { ManagedProcess } from './processes.ts';
import { RpcClient } from './rpc-client.ts';
import { FatalWaitError, waitUntil } from './wait.ts';

/** A running monero-wallet-rpc. */
export interface RunningWallet {
  readonly name: string;
  readonly process: ManagedProcess;
  call(method: string, params?: Json): Promise<JsonObject>;
  stop(): Promise<number | null>;
}

/** Where a wallet runs, if not on loopback as all else. */
export interface WalletPlace {
  /** Address at which it listens. */
  readonly host: string;
  /** Address of the node. */
  readonly daemonHost: string;
  /** Command that runs it there. The program keeps the id of the process. */
  readonly enter: readonly string[];
}

const HERE: WalletPlace = { host: LOOPBACK, daemonHost: LOOPBACK, enter: [] };

/** Starts monero-wallet-rpc against the node whose RPC listens on `daemonPort`. */
export async function startWallet(
  name: string,
  daemonPort: number,
  { host, daemonHost, enter }: WalletPlace = HERE,
): Promise<RunningWallet> {
  const folder = newFolder(`wallet-${name}`);
  mkdirSync(join(folder, 'wallets'));
  const [port = 0] = await freePorts(1);
  const wallet = requireProgram('monero-wallet-rpc');
  const [program = wallet, ...first] = [...enter, wallet];
  const process = await ManagedProcess.start({
    name: `wallet-${name}`,
    program,
    cwd: folder,
    args: [
      ...first,
      ...['--wallet-dir', join(folder, 'wallets')],
      ...['--rpc-bind-ip', host, '--rpc-bind-port', String(port)],
      ...(host === LOOPBACK ? [] : ['--confirm-external-bind']),
      ...['--disable-rpc-login', '--rpc-ssl', 'disabled', '--daemon-ssl', 'disabled'],
      ...['--daemon-address', `${daemonHost}:${daemonPort}`, '--trusted-daemon', '--no-dns'],
      ...['--shared-ringdb-dir', join(folder, 'ringdb')],
      // Wallets since 0.18.5 know the heights of the public networks' forks, which a private chain does not have.
      ...(monerodRelease() === 'current' ? ['--allow-mismatched-daemon-version'] : []),
      ...['--log-file', join(folder, 'wallet.log'), '--log-level', '0'],
    ],
  });
  const rpc = new RpcClient(port, undefined, host);
  await waitUntil(
    `wallet ${name} to answer`,
    async () => {
      if (!process.running) throw new FatalWaitError(`wallet ${name} ended:\n${process.tail()}`);
      return (await rpc.call('get_version'))['version'] !== undefined;
    },
    { timeout: 60_000 },
  );
  return {
    name,
    process,
    call: (method, params) => rpc.call(method, params),
    stop: async () => {
      rpc.close();
      return process.stop();
    },
  };
}

/** Restores a wallet from its 25 words and scans from the first block. */
export async function restoreWallet(
  name: string,
  daemonPort: number,
  seed: string,
  place?: WalletPlace,
): Promise<RunningWallet> {
  const wallet = await startWallet(name, daemonPort, place);
  await wallet.call('restore_deterministic_wallet', {
    filename: name,
    password: '',
    seed,
    restore_height: 0,
  });
  return wallet;
}

/** Returns the 25 words of a new wallet, which is closed again. */
export async function newSeed(wallet: RunningWallet): Promise<string> {
  await wallet.call('create_wallet', { filename: 'seed', password: '', language: 'English' });
  const seed = stringOf(await wallet.call('query_key', { key_type: 'mnemonic' }), 'key');
  await wallet.call('close_wallet', {});
  return seed;
}

/** Returns the wallet's main address. */
export async function mainAddress(wallet: RunningWallet): Promise<string> {
  return stringOf(await wallet.call('get_address', { account_index: 0 }), 'address');
}

/** Connects an open wallet to the node whose RPC listens on `daemonPort`. */
export async function useDaemon(wallet: RunningWallet, daemonPort: number): Promise<void> {
  await wallet.call('set_daemon', {
    address: `${LOOPBACK}:${daemonPort}`,
    trusted: true,
    ssl_support: 'disabled',
  });
}

/** Returns the balances, transfers and outputs of a wallet. */
export async function account(wallet: RunningWallet): Promise<JsonObject> {
  const answers: JsonObject = {};
  const accounts = listOf(await wallet.call('get_accounts'), 'subaddress_accounts').length;
  answers['height'] = await wallet.call('get_height');
  answers['balance'] = await wallet.call('get_balance', { account_index: 0, all_accounts: true });
  answers['transfers'] = await wallet.call('get_transfers', {
    in: true,
    out: true,
    pending: true,
    failed: true,
    pool: true,
    account_index: 0,
    all_accounts: true,
  });
  for (let index = 0; index < accounts; index++) {
    answers[`incoming ${index}`] = await wallet.call('incoming_transfers', {
      transfer_type: 'all',
      account_index: index,
    });
  }
  return answers;
}

/**
 * Fields in which two wallets may differ. They are computed from the wallet's clock for outputs locked until
 * a time, and the two wallets are asked a few seconds apart.
 */
const BY_THE_CLOCK = new Set(['time_to_unlock', 'suggested_confirmations_threshold']);

/** Returns an answer of a wallet without the fields that depend on its clock. */
export function withoutClock(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutClock);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !BY_THE_CLOCK.has(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutClock(each)]));
}
