import { statfs } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import {
  monotonicMilliseconds,
  systemMilliseconds,
  systemSeconds,
  type Logger,
} from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import { TxPool } from '@monero-node/mempool';
import { createP2pNode } from '@monero-node/p2p';
import type { P2pNode } from '@monero-node/p2p';
import { RpcServer, type FinishedCall, type LogControl, type NodeControl } from '@monero-node/rpc';
import type { ZmqServer } from '@monero-node/rpc/zmq';
import type { ChainStore, StorageError } from '@monero-node/storage';
import { BackupDesk } from './backup/backup-desk.ts';
import { CheckpointKeeper } from './checkpoints/checkpoint-keeper.ts';
import { createSecureTxtResolver } from './checkpoints/secure-txt-resolver.ts';
import type { DaemonSettings } from './cli/daemon-settings.ts';
import type { LineCounts } from './log/line-counts.ts';
import type { NotableLines } from './log/notable-lines.ts';
import { Lifecycle } from './parts/lifecycle.ts';
import { createMining } from './parts/mining.ts';
import { callLogger } from './log/log-calls.ts';
import { createNotices } from './notices/notices.ts';
import { Notifications, notifyPrograms } from './notify/notifications.ts';
import { watchAdding } from './parts/adding-failures.ts';
import { moveInHint } from './parts/move-in-hint.ts';
import { NodeState } from './parts/node-state.ts';
import { openChain, type EngineChanges } from './parts/open-chain.ts';
import { loadOptionalParts } from './optional-parts.ts';
import { rpcTransactions } from './parts/rpc-transactions.ts';
import { PruningSchedule } from './parts/pruning-schedule.ts';
import { Readiness } from './parts/readiness.ts';
import { ProgressLine } from './parts/sync-progress.ts';
import { createUpdates } from './parts/updates.ts';
import type { UpdateKeeper } from './updates/update-keeper.ts';
import { VERSION } from './version.ts';

/** A complete node, ready to be started. */
export interface MoneroNode {
  readonly blockchain: Blockchain;
  readonly p2p: P2pNode;
  readonly rpc: RpcServer;
  /** Undefined: ZeroMQ is off. */
  readonly zmq: ZmqServer | undefined;
  /** Facts that the RPC does not have. */
  readonly state: NodeState;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface NodeDependencies {
  readonly logger: Logger;
  /** Lets RPC clients change the log levels. */
  readonly logLevels: LogControl;
  /** Counts the lines of the log, for the metrics. */
  readonly logLines?: LineCounts;
  /** The lines of the log that the web page shows. */
  readonly notableLines?: NotableLines;
  /** Makes the log file again when it was removed. Resolves with a sentence for the operator when it cannot be made. */
  readonly restoreLog?: () => Promise<string | undefined>;
  /** Called when the node is told to stop, for example by an RPC client. */
  readonly requestStop: () => void;
  /** Called once, when the store takes no more writes, for example because the disk is full. The node must be stopped. */
  readonly onStorageFailure?: (error: StorageError) => void;
  /** Called once, when this machine keeps failing to add blocks. The node must be stopped. */
  readonly onGivingUp: (error: unknown) => void;
  /** For tests with engines that fail. */
  readonly engines?: EngineChanges;
}

/** Milliseconds for which a measured free space is reused. */
const FREE_SPACE_AGE = 1000;

/**
 * Returns a function for the free bytes of a folder's disk. It asks the system at most once a second, because
 * clients call `get_info` far more often, and not again while a disk that hangs has not answered.
 */
function freeSpaceOf(folder: string): () => Promise<number> {
  let known: { bytes: Promise<number>; at: number } | undefined;
  let isAsking = false;
  const ask = async (): Promise<number> => {
    isAsking = true;
    try {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    } finally {
      isAsking = false;
    }
  };
  return () => {
    const now = performance.now();
    if (known === undefined || (!isAsking && now - known.at > FREE_SPACE_AGE))
      known = { bytes: ask(), at: now };
    return known.bytes;
  };
}

function nodeControl(
  settings: DaemonSettings,
  store: ChainStore,
  { readiness, updates }: { readiness: Readiness; updates: UpdateKeeper },
  { logLevels, requestStop }: NodeDependencies,
): NodeControl {
  return {
    startTime: systemSeconds(),
    version: settings.rpcVersion,
    offline: settings.p2p.offline,
    dataDir: settings.dataDir,
    log: logLevels,
    updates,
    requestStop,
    freeSpace: freeSpaceOf(settings.dataDir),
    flush: () => store.sync(),
    notReady: () => readiness.notReady(),
  };
}

function logVerified(logger: Logger, blockchain: Blockchain): void {
  const counts = Object.entries(blockchain.counters).map(([name, count]) => `${name}=${count}`);
  logger.debug(`verified ${counts.join(' ')}`);
}

/**
 * Builds the node: creates every part with its dependencies.
 *
 * Throws StorageError, PowUnavailableError or NotifyProgramError, after closing what was opened.
 */
export async function createNode(
  settings: DaemonSettings,
  dependencies: NodeDependencies,
): Promise<MoneroNode> {
  const { logger, logLevels, onStorageFailure } = dependencies;
  const programs = notifyPrograms(settings.notify, logger.child('notify'));
  const optional = await loadOptionalParts(settings);
  let storeFailed = false;
  const { store, pow, blockchain, parts } = await openChain(settings, {
    logger,
    onStorageFailure: (error) => {
      storeFailed = true;
      onStorageFailure?.(error);
    },
    ...(dependencies.engines && { engines: dependencies.engines }),
  });
  const { line: trust } = settings.trustedBlocks;
  if (trust !== undefined) logger.info(trust);
  const hint = moveInHint(settings, blockchain.height);
  if (hint !== undefined) logger.info(hint);
  const pruning = new PruningSchedule(
    { wanted: settings.prune },
    { blockchain, logger: logger.child('blockchain') },
  );
  const backups = new BackupDesk(settings.dataDir, { store, logger });
  const checkpoints = new CheckpointKeeper(settings.checkpoints, {
    blockchain,
    resolver: createSecureTxtResolver(),
    logger: logger.child('checkpoints'),
  });
  const pool = new TxPool(
    {
      maxWeight: settings.maxPoolWeight,
      mineStemTransactions: settings.network.name === 'regtest',
    },
    { blockchain, store, logger: logger.child('txpool') },
  );
  const p2p = createP2pNode(settings.p2p, {
    blockchain,
    txRelay: pool,
    logger: logger.child('net.p2p'),
  });
  const { addPeers, exclusiveNodes, offline, priorityNodes, seedNodes } = settings.p2p;
  const named = [...addPeers, ...exclusiveNodes, ...priorityNodes, ...seedNodes];
  const expectsPeers = !offline && (settings.network.name !== 'regtest' || named.length > 0);
  const readiness = new Readiness({
    ...{ chain: blockchain, p2p, expectsPeers, now: monotonicMilliseconds },
    storeFailed: () => storeFailed,
  });
  const updates = createUpdates(settings, logger);
  const around = { readiness, updates: updates.keeper };
  const control = nodeControl(settings, store, around, dependencies);
  const notices = createNotices({
    ...{ blockchain, p2p, pool, logger, exclusiveNodes, dataDir: settings.dataDir },
    maxPoolWeight: settings.maxPoolWeight,
    freeSpace: () => control.freeSpace(),
    restoreLog: dependencies.restoreLog,
    blocksHaveRealTimes: settings.network.name !== 'regtest',
    expectsPeers,
  });
  const mining = createMining(settings.mining, { blockchain, pool, p2p, pow, logger });
  const served = {
    blockchain,
    p2p,
    pool,
    transactions: rpcTransactions(pool),
    miner: mining.miner,
    node: control,
  };
  const metrics =
    settings.metrics &&
    optional.createMetrics?.(settings.metrics, {
      ...{ blockchain, store, p2p, pool, pow, miner: mining.miner, now: systemSeconds },
      version: VERSION,
      network: settings.network.name,
      logLines: dependencies.logLines,
      freeSpace: () => control.freeSpace(),
      notReady: () => readiness.notReady(),
      logger: logger.child('global'),
    });
  const state = new NodeState(p2p);
  const web = optional.openNodePage?.({
    ...{ blockchain, p2p, pool, state, miner: mining.miner, now: systemMilliseconds },
    version: VERSION,
    startedAt: control.startTime,
    log: dependencies.notableLines,
    freeSpace: () => control.freeSpace(),
    notReady: () => readiness.notReady(),
    logger: logger.child('daemon.rpc'),
  });
  const logCall = callLogger(logger);
  const onCall = (call: FinishedCall): void => {
    logCall(call);
    metrics?.onCall(call);
  };
  const rpc = new RpcServer(settings.rpc, {
    ...served,
    ...(web && { page: web.page }),
    pow,
    templates: mining.templates,
    logger: logger.child('daemon.rpc'),
    onCall,
  });
  const zmq =
    settings.zmq &&
    optional.ZmqServer &&
    new optional.ZmqServer(settings.zmq, {
      ...served,
      caches: rpc.caches,
      logger: logger.child('net.zmq'),
      onCall,
      chainEvents: blockchain,
      setLogLevel: (level) => logLevels.set(String(level)),
    });
  pool.on('published', (transactions) => zmq?.transactionsAdded(transactions));
  pool.on('relay', (batch) => p2p.relayTransactions(batch));
  const notifications = new Notifications(programs, {
    blockchain,
    p2p,
    offline,
    logger: logger.child('notify'),
  });
  reportOn(p2p, logger);
  watchAdding(p2p, { logger, giveUp: dependencies.onGivingUp });

  const lifecycle = new Lifecycle(
    [
      ...parts,
      { name: 'backups', start: () => backups.start(), stop: () => backups.stop() },
      ...(metrics === undefined ? [] : [metrics.part]),
      { name: 'pruning', start: () => pruning.start(), stop: () => pruning.stop() },
      { name: 'checkpoints', start: () => checkpoints.start(), stop: () => checkpoints.stop() },
      { name: 'transaction pool', start: () => pool.start(), stop: () => pool.stop() },
      {
        name: 'notifications',
        start: () => notifications.start(),
        stop: () => notifications.stop(),
      },
      { name: 'p2p', start: () => p2p.start(), stop: () => p2p.stop() },
      notices,
      updates.part,
      mining.part,
      ...(web === undefined ? [] : [web.part]),
      { name: 'rpc', start: () => rpc.start(), stop: () => rpc.stop() },
      ...(zmq === undefined
        ? []
        : [{ name: 'ZeroMQ', start: () => zmq.start(), stop: () => zmq.stop() }]),
    ],
    (part, error) => logger.error(`stopping ${part} failed: ${(error as Error).message}`),
  );
  return {
    blockchain,
    p2p,
    rpc,
    zmq,
    state,
    start: () => lifecycle.start(),
    stop: async () => {
      await lifecycle.stop();
      logVerified(logger, blockchain);
    },
  };
}

/** Logs the progress of synchronisation. */
function reportOn(p2p: P2pNode, logger: Logger): void {
  const line = new ProgressLine(logger);
  p2p.on('progress', (progress) => line.update(progress));
  p2p.on('synchronized', () => {
    logger.info('You are now synchronized with the network.');
  });
}
