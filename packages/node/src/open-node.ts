import { createRequire } from 'node:module';
import { join } from 'node:path';
import { silentLogger } from '@monero-node/base';
import {
  checkOptions,
  NEEDED,
  OPTIONAL,
  optionalNames,
  type OptionTable,
} from '@monero-node/base/options';
import {
  RpcServer,
  type ClientUses,
  type NodeControl,
  type OnCall,
  type RpcWorkersOptions,
  type UpdateControl,
  type WebPage,
} from '@monero-node/rpc';
import type { StratumServer } from '@monero-node/stratum';
import type { ZmqServer } from '@monero-node/zmq';
import { createCore, type NodeCore } from './core.ts';
import { networkOf, type NodeOptions } from './options.ts';
import { Lifecycle, partOf, type Part } from './parts/lifecycle.ts';
import { CHAIN_DIR } from './parts/chain-dir.ts';
import type { MiningSettings } from './parts/mining.ts';
import { CHAIN_OPTIONS, openCheckedChain } from './parts/open-chain.ts';
import { DEFAULT_READINESS } from './parts/readiness.ts';
import { rpcTransactions } from './parts/rpc-transactions.ts';
import type { StratumSettings } from './parts/stratum.ts';

// src/ and dist/ are both next to package.json.
const { version: VERSION } = createRequire(import.meta.url)('../package.json') as {
  readonly version: string;
};

const MINING: OptionTable<MiningSettings> = {
  start: OPTIONAL,
  background: OPTIONAL,
  extraMessages: OPTIONAL,
};
const STRATUM: OptionTable<StratumSettings> = {
  bindIp: NEEDED,
  bindPort: NEEDED,
  address: OPTIONAL,
  anyAddress: NEEDED,
  password: OPTIONAL,
  tls: NEEDED,
};

/** The options of `openNode`. Those of the parts are checked by the parts, which are made of them at once. */
const NODE_OPTIONS: OptionTable<NodeOptions> = {
  ...CHAIN_OPTIONS,
  network: OPTIONAL,
  logger: OPTIONAL,
  rpc: OPTIONAL,
  rpcWorkers: OPTIONAL,
  p2p: OPTIONAL,
  zmq: OPTIONAL,
  stratum: { optional: true, table: STRATUM },
  mining: { optional: true, table: MINING },
  maxPoolWeight: OPTIONAL,
  prune: OPTIONAL,
  readiness: { optional: true, table: optionalNames(DEFAULT_READINESS) },
  fleetNodes: OPTIONAL,
  rpcVersion: OPTIONAL,
  logLevels: OPTIONAL,
  requestStop: OPTIONAL,
  onStorageFailure: OPTIONAL,
  onEngineTrouble: OPTIONAL,
  engines: OPTIONAL,
  engineChanges: OPTIONAL,
};

/** A whole node. Listening and connecting begin with `start`. */
export interface MoneroNode extends NodeCore {
  readonly rpc: RpcServer;
  /** Undefined: ZeroMQ is off. */
  readonly zmq: ZmqServer | undefined;
  /**
   * Listens and connects. Rejects when an address cannot be listened on, and with Libp2pOptionError for a wrong address of
   * libp2p or when its packages are missing; everything is closed then. Rejects after `stop`.
   */
  start(): Promise<void>;
  /** Stops and closes everything, whether or not the node was started. May be called twice; it cannot be started again. */
  stop(): Promise<void>;
  /** The same as `stop`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The additions of a program to a node. */
export interface NodeAdditions {
  /** Parts that run already, and are stopped after all others, also when the node cannot start. */
  readonly running?: readonly Part[];
  /** Parts that start once the chain is open, before the pool and the peers. */
  readonly beforePeers?: readonly Part[];
  /** Parts that start after the peers, before the RPC. */
  readonly afterPeers?: readonly Part[];
  /** The web page of the RPC; none when absent. */
  readonly page?: WebPage | undefined;
  /** Looks for newer versions of the program; nobody does when absent. */
  readonly updates?: UpdateControl;
  /** Takes notice of each RPC call that has ended. */
  readonly onCall?: OnCall;
  /** What RPC clients have cost, which `onCall` counts; the call about them is not served when absent. */
  readonly clients?: ClientUses;
  /** Returns whether `onCall` has a use for the HTTP calls that begin now; always when absent. */
  readonly wantsCalls?: () => boolean;
}

/**
 * Opens a whole node: the chain of a data directory (in memory without one), the pool, the peers, the miner and the RPC. It
 * neither listens nor connects before it is started.
 *
 * Throws StorageError, PowUnavailableError, BackendUnavailableError, RpcOptionsError, OptionError for an unknown option, or the reason of the
 * signal, after closing what was opened.
 *
 * @param add returns the additions of the program, which it builds on the parts of the node; called once
 */
export async function openNode(
  options: NodeOptions = {},
  add: (core: NodeCore) => NodeAdditions | Promise<NodeAdditions> = () => ({}),
): Promise<MoneroNode> {
  checkOptions('openNode', options, NODE_OPTIONS);
  const { logger = silentLogger, onStorageFailure } = options;
  const network = networkOf(options.network);
  let hasStoreFailed = false;
  const chain = await openCheckedChain(
    { ...options, network },
    {
      logger,
      onStorageFailure: (error) => {
        hasStoreFailed = true;
        onStorageFailure?.(error);
      },
      onEngineTrouble: options.onEngineTrouble,
      engines: options.engines,
      engineChanges: options.engineChanges,
    },
  );
  const onStopError = (name: string, error: unknown): void =>
    logger.error(`stopping ${name} failed: ${(error as Error).message}`);
  const lifecycle = new Lifecycle([], onStopError, chain.parts);
  try {
    const deps = { network, logger, chain, storeFailed: () => hasStoreFailed };
    const { core: made, parts } = createCore(options, deps);
    // Rigs use the certificate of the RPC, which starts before them and is made after them.
    const late: { rpc?: RpcServer } = {};
    const saturation = (): number => late.rpc?.load.saturation ?? 0;
    const rpcWorkers = () => late.rpc?.load.workers;
    const stratum = await stratumOf(options, made, () => late.rpc);
    const core: NodeCore = { ...made, stratum, saturation, rpcWorkers };
    const added = await add(core);
    let starting: Promise<void> | undefined;
    let stopping: Promise<void> | undefined;
    const stopAll = async (): Promise<void> => {
      core.announceStop();
      // Parts that are still starting would go on without those that they need.
      await starting?.catch(() => undefined);
      await lifecycle.stop();
      logVerified(core);
    };
    const stop = (): Promise<void> => (stopping ??= stopAll());
    const requestStop = options.requestStop ?? (() => void stop());
    const served = await serve(options, core, { ...added, requestStop });
    late.rpc = served.rpc;
    lifecycle.addRunning(added.running ?? []);
    lifecycle.add([
      parts.ledger,
      ...(added.beforePeers ?? []),
      parts.seeds,
      parts.expectedWork,
      parts.pruning,
      parts.tree,
      parts.pool,
      parts.p2p,
      ...(added.afterPeers ?? []),
      parts.mining,
      parts.fleet,
      ...served.parts,
      ...(stratum === undefined ? [] : [partOf('stratum', stratum)]),
    ]);
    const { rpc, zmq } = served;
    const start = (): Promise<void> => {
      if (stopping !== undefined) return Promise.reject(new Error('the node was stopped'));
      return (starting ??= lifecycle.start());
    };
    return { ...core, rpc, zmq, start, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}

/** Creates the server of rigs, which is loaded only where it is wanted. */
async function stratumOf(
  { stratum }: NodeOptions,
  core: Omit<NodeCore, 'stratum' | 'saturation' | 'rpcWorkers'>,
  rpc: () => RpcServer | undefined,
): Promise<StratumServer | undefined> {
  if (stratum === undefined) return undefined;
  const { createStratum } = await import('./parts/stratum.ts');
  return createStratum(stratum, core, (serve) => rpc()?.acceptTls(serve));
}

/** The servers for clients. */
interface Served {
  readonly rpc: RpcServer;
  readonly zmq: ZmqServer | undefined;
  readonly parts: readonly Part[];
}

/** Creates the servers for clients. */
async function serve(
  options: NodeOptions,
  core: NodeCore,
  {
    page,
    updates,
    onCall,
    wantsCalls,
    clients,
    requestStop,
  }: NodeAdditions & Pick<NodeControl, 'requestStop'>,
): Promise<Served> {
  const { blockchain, p2p, pool, miner, ledger, stratum, store, logger } = core;
  const { logLevels, now } = options;
  const node: NodeControl = {
    startTime: core.startTime,
    version: options.rpcVersion ?? VERSION,
    offline: options.p2p?.offline ?? false,
    dataDir: core.dataDir ?? '',
    ...(logLevels && { log: logLevels }),
    ...(updates && { updates }),
    requestStop,
    freeSpace: () => core.freeSpace(),
    flush: () => store.sync(),
    notReady: () => core.notReady(),
    healthFigures: () => core.healthFigures(),
    fleetAnswer: () => core.fleetAnswer(),
  };
  const shared = {
    blockchain,
    p2p,
    pool,
    miner,
    ledger,
    ...(stratum && { stratum }),
    node,
    transactions: rpcTransactions(pool),
    ...(onCall && { onCall }),
    ...(now && { now }),
  };
  const rpc = new RpcServer(
    { bindPort: core.network.ports.rpc, ...options.rpc },
    {
      ...shared,
      events: { chain: blockchain, pool },
      ...(page && { page }),
      ...(wantsCalls && { wantsCalls }),
      ...(clients && { clients }),
      workers: workersOf(options, core),
      pow: core.pow,
      templates: core.templates,
      logger: logger.child('daemon.rpc'),
    },
  );
  const parts = [partOf('rpc', rpc)];
  if (options.zmq === undefined) return { rpc, zmq: undefined, parts };
  const { createZmq } = await import('./parts/zmq.ts');
  const zmq = createZmq(options.zmq, {
    ...shared,
    caches: rpc.caches,
    logger: logger.child('net.zmq'),
    chainEvents: blockchain,
    ...(logLevels && { setLogLevel: (level: number) => logLevels.set(String(level)) }),
  });
  parts.push(partOf('ZeroMQ', zmq));
  return { rpc, zmq, parts };
}

/** Returns the processes that answer RPC calls. Their clock is the system's. */
function workersOf(
  { rpcWorkers: count = 0, now }: NodeOptions,
  { dataDir, storeOnDisk: store }: NodeCore,
): RpcWorkersOptions | undefined {
  if (count === 0 || now !== undefined || dataDir === undefined || store === undefined)
    return undefined;
  return { count, store, storePath: join(dataDir, CHAIN_DIR) };
}

function logVerified({ logger, blockchain }: NodeCore): void {
  const counts = Object.entries(blockchain.counters).map(([name, count]) => `${name}=${count}`);
  logger.debug(`verified ${counts.join(' ')}`);
}
