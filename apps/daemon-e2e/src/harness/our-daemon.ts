import { existsSync, mkdirSync } from 'node:fs';
import { OUR_DAEMON } from './binaries.ts';
import { newFolder } from './run-folder.ts';
import {
  commonFlags,
  nodeHandle,
  waitForRpc,
  waitForSameTip,
  type NodeOptions,
  type RunningNode,
} from './monerod.ts';
import { freePorts } from './ports.ts';
import { ManagedProcess } from './processes.ts';
import { RpcClient } from './rpc-client.ts';
import { waitUntil } from './wait.ts';

/** Adds the level at which the daemon logs the numbers of its checks, unless another one is given. */
function withFigures({ extra = [], ...options }: NodeOptions): NodeOptions {
  const isGiven = extra.includes('--log-level');
  return { ...options, extra: isGiven ? extra : [...extra, '--log-level', '0,global:DEBUG'] };
}

/** Worker processes of the RPC, for runs of any suite against them: `E2E_RPC_WORKERS=2 node tools/run-e2e.mjs 18-`. */
const RPC_WORKERS = process.env['E2E_RPC_WORKERS'];

/** Adds the worker processes that this run asks for, unless the suite chose their number. */
function withWorkers({ extra = [], ...options }: NodeOptions): NodeOptions {
  if (RPC_WORKERS === undefined || extra.includes('--rpc-workers')) return { ...options, extra };
  return { ...options, extra: [...extra, '--rpc-workers', RPC_WORKERS] };
}

/** Starts our daemon, normally on regtest, without waiting for it to answer. */
export async function launchOurDaemon(options: NodeOptions = {}): Promise<RunningNode> {
  if (!existsSync(OUR_DAEMON)) {
    throw new Error(
      `${OUR_DAEMON} is not there: build the daemon first (npx nx build @monero-node/daemon)`,
    );
  }
  const name = options.name ?? 'our-daemon';
  const dataDir = options.dataDir ?? newFolder(name);
  mkdirSync(dataDir, { recursive: true });
  const [p2pPort = 0, rpcPort = 0] = await freePorts(2);
  const managed = await ManagedProcess.start({
    name,
    program: process.execPath,
    cwd: dataDir,
    args: [
      OUR_DAEMON,
      ...commonFlags(withFigures(withWorkers(options)), dataDir, p2pPort, rpcPort),
      // Otherwise each start in an empty folder spends seconds on creating a certificate.
      ...(options.extra?.includes('--rpc-ssl') === true ? [] : ['--rpc-ssl', 'disabled']),
    ],
    // The options of the test runner must not reach the daemon.
    env: { NODE_OPTIONS: '', ...options.env },
  });
  return nodeHandle(name, new RpcClient(rpcPort), dataDir, p2pPort, managed);
}

/** Starts our daemon, normally on regtest, and waits until it answers. */
export async function startOurDaemon(options: NodeOptions = {}): Promise<RunningNode> {
  const node = await launchOurDaemon(options);
  await waitForRpc(node.process, node.rpc, 60_000);
  return node;
}

/**
 * Starts our daemon, synchronizes it with a running monerod, and starts it again: a node considers
 * itself synchronized once it meets a peer of its own height, and only then mines and accepts transactions.
 */
export async function startInStep(
  monerod: RunningNode,
  options: NodeOptions = {},
): Promise<RunningNode> {
  const peers = [monerod.p2p];
  const first = await startOurDaemon({ peers });
  await waitForSameTip(first, await monerod.tip(), 180_000);
  await first.stop();
  const ours = await startOurDaemon({ ...options, peers, dataDir: first.dataDir });
  for (const node of [monerod, ours]) {
    await waitUntil(
      `${node.name} to be in step`,
      async () => (await node.info())['synchronized'] === true,
    );
  }
  return ours;
}

/** Numbers of checks by kind, which the daemon logs at a clean stop, at the debug level. */
export type VerifiedCounts = Record<string, number>;

/** Reads the last `verified name=count …` line. Throws Error when there is none. */
export function verifiedCounts(output: string): VerifiedCounts {
  const line = output
    .split('\n')
    .filter((text) => /\bverified (\w+=\d+)/.test(text))
    .at(-1);
  if (line === undefined)
    throw new Error(`the daemon printed no "verified" line:\n${output.slice(-2000)}`);
  return Object.fromEntries(
    [...line.matchAll(/(\w+)=(\d+)/g)].map(([, name = '', count]) => [name, Number(count)]),
  );
}
