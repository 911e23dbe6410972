import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from './binaries.ts';
import { newFolder } from './run-folder.ts';
import { numberOf, stringOf, type JsonObject } from './json.ts';
import { freePorts, LOOPBACK } from './ports.ts';
import { ManagedProcess } from './processes.ts';
import { RpcClient } from './rpc-client.ts';
import { FatalWaitError, waitUntil } from './wait.ts';

export interface NodeOptions {
  /** Name for logs and messages. */
  name?: string;
  /** Data folder; a new, empty one when absent. An existing chain in it is kept. */
  dataDir?: string | undefined;
  /** Whether to run without peers. An offline monerod mines and answers without them. */
  offline?: boolean;
  /** The only peers to connect to, as `host:port`. */
  peers?: readonly string[];
  fixedDifficulty?: number;
  /** Regtest when absent. */
  network?: 'regtest' | 'stagenet' | 'mainnet';
  /** Address that it listens on, loopback when absent. */
  host?: string;
  /** Path of the program; by default the installed monerod. */
  program?: string;
  extra?: readonly string[];
  /** Environment variables besides those of the test runner. */
  env?: Readonly<Record<string, string>>;
}

export interface Tip {
  height: number;
  id: string;
}

/** A running node, ours or monerod, with its RPC client. */
export interface RunningNode {
  readonly name: string;
  readonly rpc: RpcClient;
  readonly dataDir: string;
  /** `host:port` for `--add-exclusive-node`. */
  readonly p2p: string;
  readonly p2pPort: number;
  readonly process: ManagedProcess;
  info(): Promise<JsonObject>;
  tip(): Promise<Tip>;
  /** Returns the exit code. */
  stop(): Promise<number | null>;
}

/** Returns options for both programs, with everything on one address, loopback unless another is named. */
export function commonFlags(
  options: NodeOptions,
  dataDir: string,
  p2pPort: number,
  rpcPort: number,
): string[] {
  const { host = LOOPBACK, peers = [] } = options;
  return [
    ...networkFlags(options),
    ...['--data-dir', dataDir],
    '--non-interactive',
    ...(options.extra?.includes('--log-level') === true ? [] : ['--log-level', '0']),
    ...['--p2p-bind-ip', host, '--p2p-bind-port', String(p2pPort)],
    ...['--rpc-bind-ip', host, '--rpc-bind-port', String(rpcPort)],
    ...(host === LOOPBACK ? [] : ['--confirm-external-bind']),
    ...(options.extra?.includes('--zmq-pub') === true ? [] : ['--no-zmq']),
    '--allow-local-ip',
    ...['--max-connections-per-ip', '100'],
    ...(options.offline === true ? ['--offline'] : []),
    // Port 9 is closed: with it as the only peer, a node listens but has no outgoing connections.
    ...(options.offline === true
      ? []
      : (peers.length > 0 ? peers : [`${LOOPBACK}:9`]).flatMap((peer) => [
          '--add-exclusive-node',
          peer,
        ])),
    ...(options.extra ?? []),
  ];
}

/** Mainnet has its own difficulty; the other networks have a fixed one here. */
function networkFlags({ network, fixedDifficulty = 1 }: NodeOptions): string[] {
  if (network === 'mainnet') return [];
  const flags = network === 'stagenet' ? ['--stagenet'] : ['--regtest', '--keep-fakechain'];
  return [...flags, '--fixed-difficulty', String(fixedDifficulty)];
}

/** Returns height and top block id of a node. */
async function tipOf(rpc: RpcClient): Promise<Tip> {
  const info = await rpc.path('/get_info');
  return { height: numberOf(info, 'height'), id: stringOf(info, 'top_block_hash') };
}

/** Waits until the node answers /get_info with OK. */
export async function waitForRpc(
  process: ManagedProcess,
  rpc: RpcClient,
  timeout: number,
): Promise<void> {
  try {
    await waitUntil(
      `${process.name} to answer`,
      async () => {
        if (!process.running) throw new FatalWaitError(`${process.name} ended while starting`);
        return (await rpc.path('/get_info'))['status'] === 'OK';
      },
      { timeout, interval: 50 },
    );
  } catch (error) {
    await process.kill();
    throw new Error(`${String(error)}\n${process.command}\n${process.tail()}`, { cause: error });
  }
}

/** Starts the real monerod, normally on regtest, and waits until it answers. */
export async function startMonerod(options: NodeOptions = {}): Promise<RunningNode> {
  const name = options.name ?? 'monerod';
  const dataDir = options.dataDir ?? newFolder(name);
  mkdirSync(dataDir, { recursive: true });
  const [p2pPort = 0, rpcPort = 0] = await freePorts(2);
  const process = await ManagedProcess.start({
    name,
    program: options.program ?? requireProgram('monerod'),
    cwd: dataDir,
    // Debian's build aborts when it compiles programs of CryptoNight-R.
    env: { MONERO_USE_CNV4_JIT: '0', ...options.env },
    args: [
      ...commonFlags(options, dataDir, p2pPort, rpcPort),
      ...['--log-file', join(dataDir, 'monerod.log')],
      ...['--rpc-ssl', 'disabled', '--no-igd'],
      ...['--disable-dns-checkpoints', '--check-updates', 'disabled'],
      '--disable-rpc-ban',
      ...['--rpc-max-connections-per-private-ip', '1000', '--rpc-max-connections', '1000'],
    ],
  });
  const rpc = new RpcClient(rpcPort, undefined, options.host);
  await waitForRpc(process, rpc, 60_000);
  return nodeHandle(name, rpc, dataDir, p2pPort, process, options.host);
}

export function nodeHandle(
  name: string,
  rpc: RpcClient,
  dataDir: string,
  p2pPort: number,
  process: ManagedProcess,
  host = LOOPBACK,
): RunningNode {
  return {
    name,
    rpc,
    dataDir,
    p2pPort,
    p2p: `${host}:${p2pPort}`,
    process,
    info: () => rpc.path('/get_info'),
    tip: () => tipOf(rpc),
    stop: async () => {
      rpc.close();
      return process.stop();
    },
  };
}

/** Waits until `node` has the tip of `other`; returns it. */
export async function waitForSameTip(
  node: RunningNode,
  wanted: Tip,
  timeout: number,
): Promise<Tip> {
  return waitUntil(
    `${node.name} to reach height ${wanted.height}, ${wanted.id}`,
    async () => {
      if (!node.process.running) throw new FatalWaitError(`${node.name} ended`);
      const tip = await node.tip();
      return tip.height === wanted.height && tip.id === wanted.id ? tip : undefined;
    },
    { timeout, interval: 200 },
  );
}

/**
 * Mines on regtest; returns the new chain height. `prev` names the parent of the first block.
 */
export async function mine(
  node: RunningNode,
  count: number,
  address: string,
  prev?: string,
): Promise<number> {
  const answer = await node.rpc.call('generateblocks', {
    amount_of_blocks: count,
    wallet_address: address,
    ...(prev === undefined ? {} : { prev_block: prev }),
  });
  if (answer['status'] !== 'OK') throw new Error(`generateblocks: ${String(answer['status'])}`);
  return numberOf(answer, 'height') + 1;
}
