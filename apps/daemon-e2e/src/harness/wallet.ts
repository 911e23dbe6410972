import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from './binaries.ts';
import { newFolder } from './home.ts';
import { stringOf, type Json, type JsonObject } from './json.ts';
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

/** Starts monero-wallet-rpc against the node whose RPC listens on `daemonPort`. */
export async function startWallet(name: string, daemonPort: number): Promise<RunningWallet> {
  const folder = newFolder(`wallet-${name}`);
  mkdirSync(join(folder, 'wallets'));
  const [port = 0] = await freePorts(1);
  const process = await ManagedProcess.start({
    name: `wallet-${name}`,
    program: requireProgram('monero-wallet-rpc'),
    cwd: folder,
    args: [
      ...['--wallet-dir', join(folder, 'wallets')],
      ...['--rpc-bind-ip', LOOPBACK, '--rpc-bind-port', String(port)],
      ...['--disable-rpc-login', '--rpc-ssl', 'disabled', '--daemon-ssl', 'disabled'],
      ...['--daemon-address', `${LOOPBACK}:${daemonPort}`, '--trusted-daemon', '--no-dns'],
      ...['--shared-ringdb-dir', join(folder, 'ringdb')],
      ...['--log-file', join(folder, 'wallet.log'), '--log-level', '0'],
    ],
  });
  const rpc = new RpcClient(port);
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
): Promise<RunningWallet> {
  const wallet = await startWallet(name, daemonPort);
  await wallet.call('restore_deterministic_wallet', {
    filename: name,
    password: '',
    seed,
    restore_height: 0,
  });
  return wallet;
}

/** The wallet's main address. */
export async function mainAddress(wallet: RunningWallet): Promise<string> {
  return stringOf(await wallet.call('get_address', { account_index: 0 }), 'address');
}
