import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { systemMilliseconds, systemSeconds, type Logger } from '@monero-node/base';
import {
  openNode,
  partOf,
  type EngineChanges,
  type MoneroNode,
  type NodeAdditions,
  type NodeCore,
  type NodeOptions,
  type Part,
} from '@monero-node/node';
import type { FinishedCall, LogControl } from '@monero-node/rpc';
import type { StorageError } from '@monero-node/storage';
import { dialThroughSocks } from '@monero-node/p2p/socks';
import { ChainAlerts } from './alerts/chain-alerts.ts';
import { BackupDesk } from './backup/backup-desk.ts';
import { BanListKeeper } from './bans/ban-list-keeper.ts';
import { CheckpointKeeper } from './checkpoints/checkpoint-keeper.ts';
import { createSecureTxtResolver } from './checkpoints/secure-txt-resolver.ts';
import type { DaemonSettings } from './cli/daemon-settings.ts';
import type { SeedServer } from './seed/seed-server.ts';
import type { LineCounts, NotableLines } from './log/kept-lines.ts';
import { failureOfStore } from './ending/failure.ts';
import { ClientLog } from './log/client-log.ts';
import { callLogger } from './log/log-calls.ts';
import { chainSpaceWarning } from './notices/chain-space.ts';
import { createNotices } from './notices/notices.ts';
import { NotifyProgram } from './notify/notify-program.ts';
import { Notifications, notifyPrograms } from './notify/notifications.ts';
import { createAlerts, toldByDesk, type AlertDesk } from './runtime/alert-desk.ts';
import { watchAdding } from './runtime/adding-failures.ts';
import { moveInHint } from './runtime/move-in-hint.ts';
import { loadOptionalParts, type OptionalParts } from './optional-parts.ts';
import { NodeState } from './runtime/node-state.ts';
import { reportProgress } from './runtime/sync-progress.ts';
import { createUpdates } from './runtime/updates.ts';
import { VERSION } from './version.ts';

/** The node of the daemon, ready to be started. */
export interface DaemonNode extends MoneroNode {
  /** Facts that the RPC does not have. */
  readonly state: NodeState;
  readonly bans: BanListKeeper;
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
  readonly engineChanges?: EngineChanges;
  /** Ends the opening of the chain, where that takes long: see `OpenChainOptions`. */
  readonly signal?: AbortSignal;
}

/** Things around the node in a daemon. */
interface Surroundings extends NodeDependencies {
  readonly programs: ReturnType<typeof notifyPrograms>;
  readonly optional: OptionalParts;
  readonly state: NodeState;
  readonly bans: BanListKeeper;
  readonly desk: AlertDesk;
}

/** Returns what gives the chain to new nodes; undefined unless `--seed-bind-port` is set. */
function seedServerOf(
  { network, seedServer }: DaemonSettings,
  core: NodeCore,
  { optional }: Surroundings,
): SeedServer | undefined {
  const { storeOnDisk, logger } = core;
  if (!seedServer || !storeOnDisk || !optional.SeedServer) return undefined;
  const notReady = (): readonly string[] => core.notReady();
  return new optional.SeedServer(seedServer, {
    ...{ store: storeOnDisk, network: network.name, notReady, logger },
  });
}

/** Returns the parts that act on what happens to the chain and to the data directory. */
function keepers(
  settings: DaemonSettings,
  core: NodeCore,
  { desk, programs }: Surroundings,
  seeds: SeedServer | undefined,
): Part[] {
  const { blockchain, p2p, ledger, storeOnDisk, logger } = core;
  const checkpoints = new CheckpointKeeper(settings.checkpoints, {
    blockchain,
    resolver: createSecureTxtResolver(),
    logger: logger.child('checkpoints'),
  });
  const notifications = new Notifications(programs, {
    blockchain,
    ledger,
    p2p,
    offline: settings.p2p.offline,
    logger: logger.child('notify'),
  });
  const chainAlerts = new ChainAlerts(settings.alerts.reorgDepth, {
    blockchain,
    ledger,
    alerts: desk.alerts,
    logger,
  });
  const backups = storeOnDisk && new BackupDesk(settings.dataDir, { store: storeOnDisk, logger });
  return [
    partOf('alerts of the chain', chainAlerts),
    ...(backups === undefined ? [] : [partOf('backups', backups)]),
    ...(seeds === undefined ? [] : [partOf('seeds', seeds)]),
    partOf('space for the chain', {
      start: () => warnOfChainSpace(settings, core),
      stop: () => Promise.resolve(),
    }),
    partOf('checkpoints', checkpoints),
    partOf('notifications', notifications),
  ];
}

/** Warns once, at the start, when the disk has too little space for the rest of the chain. */
async function warnOfChainSpace(settings: DaemonSettings, core: NodeCore): Promise<void> {
  const { blockchain, logger, store } = core;
  const warning = chainSpaceWarning({
    network: settings.network,
    dataDir: settings.dataDir,
    isPruned: settings.prune || blockchain.pruningSeed !== 0,
    downloads: !settings.p2p.offline,
    storedBytes: store.sizeOnDisk,
    topTime: Number(store.blockMeta(store.height - 1)?.timestamp ?? 0),
    now: systemSeconds(),
    freeBytes: await core.freeSpace().catch(() => undefined),
  });
  if (warning !== undefined) logger.warn(warning);
}

/** Adds to a node what makes it a daemon. */
function daemonParts(
  settings: DaemonSettings,
  core: NodeCore,
  surroundings: Surroundings,
): NodeAdditions {
  const { blockchain, p2p, pool, miner, ledger, stratum, pow, store, logger, expectsPeers } = core;
  const { alerts } = surroundings.desk;
  const { line: trust } = settings.trustedBlocks;
  if (trust !== undefined) logger.info(trust);
  const hint = moveInHint(settings, blockchain.height);
  if (hint !== undefined) logger.info(hint);
  const freeSpace = (): Promise<number> => core.freeSpace();
  const notReady = (): readonly string[] => core.notReady();
  const updates = createUpdates(settings, logger, alerts);
  const notices = createNotices({
    blockchain,
    p2p,
    pool,
    logger,
    freeSpace,
    expectsPeers,
    dataDir: settings.dataDir,
    maxPoolWeight: settings.maxPoolWeight,
    restoreLog: surroundings.restoreLog,
    notReady: settings.fleetNodes.length > 0 ? notReady : undefined,
    alerts,
    stratum,
    blocksHaveRealTimes: settings.network.name !== 'regtest',
  });
  const events =
    settings.events &&
    surroundings.optional.EventPublisher &&
    new surroundings.optional.EventPublisher(
      { ...settings.events, publisher: publisherName(settings) },
      { chain: blockchain, pool, logger: logger.child('global') },
    );
  const seeds = seedServerOf(settings, core, surroundings);
  const metrics =
    settings.metrics &&
    surroundings.optional.createMetrics?.(settings.metrics, {
      blockchain,
      store,
      p2p,
      pool,
      pow,
      miner,
      ledger,
      stratum,
      events,
      seeds,
      fleetFigures: () => core.fleetFigures(),
      saturation: () => core.saturation(),
      rpcWorkers: () => core.rpcWorkers(),
      freeSpace,
      notReady,
      now: systemSeconds,
      version: VERSION,
      network: settings.network.name,
      logLines: surroundings.logLines,
      logger: logger.child('global'),
    });
  const { bans, state } = surroundings;
  state.watch(p2p);
  state.watchEvents(events);
  state.watchSeeds(seeds);
  state.watchTree(core.blockchain);
  state.watchFleet(() => core.fleetFigures());
  state.watchSaturation(() => core.saturation());
  bans.serve(p2p);
  const clientLog: ClientLog = new ClientLog({
    minutes: settings.rpcClientLog,
    logger: logger.child('global'),
    isWatched: (): boolean => web?.page.events.owner.isWatched === true,
  });
  const web = surroundings.optional.openNodePage?.({
    clients: clientLog.uses,
    onOwnerWatched: () => clientLog.watched(),
    blockchain,
    p2p,
    pool,
    state,
    miner,
    ledger,
    stratum,
    updates: updates.keeper,
    dataDir: settings.dataDir,
    freeSpace,
    notReady,
    hiddenServices: settings.hiddenServices,
    now: systemMilliseconds,
    version: VERSION,
    startedAt: core.startTime,
    log: surroundings.notableLines,
    logger: logger.child('daemon.rpc'),
    globalLogger: logger.child('global'),
  });
  const callLog = callLogger(logger);
  reportProgress(p2p, logger);
  watchAdding(p2p, { logger, alerts, giveUp: surroundings.onGivingUp });
  return {
    // All others may have something to say until they have stopped.
    running: [surroundings.desk.part],
    beforePeers: [
      ...keepers(settings, core, surroundings, seeds),
      partOf('ban list', bans),
      clientLog,
      ...(metrics === undefined ? [] : [metrics.part]),
      ...(events === undefined ? [] : [partOf('events', events)]),
    ],
    afterPeers: [notices, updates.part, ...(web === undefined ? [] : [web.part])],
    page: web?.page,
    updates: updates.keeper,
    onCall: (call: FinishedCall): void => {
      clientLog.onCall(call);
      callLog.onCall(call);
      metrics?.onCall(call);
    },
    clients: clientLog.uses,
    wantsCalls: () => clientLog.wantsCalls() || metrics !== undefined || callLog.writesCalls(),
  };
}

/** Returns the program of `--alert-command`. Throws NotifyProgramError when there is no such file. */
function alertProgram(
  { alerts: { command } }: Pick<DaemonSettings, 'alerts'>,
  logger: Logger,
): NotifyProgram | undefined {
  if (command === undefined) return undefined;
  return new NotifyProgram('alert-command', command, logger.child('notify'));
}

/** Names a node among those that publish to the same stream: the same name after a restart. */
function publisherName({ dataDir }: DaemonSettings): string {
  return `${hostname()}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`;
}

/** The options of a node that the daemon sets, always or when it has one. */
type DaemonNodeOptions = Omit<NodeOptions, 'engines' | 'now' | 'skipEasiestWork'>;

/** Returns the options of the node among the settings of the daemon. The compiler wants each of them named. */
function nodeOptions(
  settings: DaemonSettings,
  dependencies: NodeDependencies,
  { alerts }: Pick<AlertDesk, 'alerts'>,
): NodeOptions {
  const { onStorageFailure } = dependencies;
  return {
    network: settings.network,
    dataDir: settings.dataDir,
    resetChain: settings.resetChain,
    keepAlternativeBlocks: settings.keepAlternativeBlocks,
    syncMode: settings.syncMode,
    verificationThreads: settings.verificationThreads,
    cryptoBackend: settings.cryptoBackend,
    powEngine: settings.powEngine,
    powDataset: settings.powDataset,
    powThreads: settings.powThreads,
    readAheadThreads: settings.readAheadThreads,
    prune: settings.prune,
    buildTree: settings.buildTree,
    trustedBlocks: settings.trustedBlocks,
    maxPoolWeight: settings.maxPoolWeight,
    mining: settings.mining,
    stratum: settings.stratum,
    p2p: settings.p2p,
    rpc: settings.rpc,
    rpcWorkers: settings.rpcWorkers,
    rpcVersion: settings.rpcVersion,
    zmq: settings.zmq,
    readiness: settings.readiness,
    fleetNodes: settings.fleetNodes,
    logger: dependencies.logger,
    logLevels: dependencies.logLevels,
    requestStop: dependencies.requestStop,
    onStorageFailure: (error: StorageError) => {
      alerts.tell('stopping', failureOfStore(error, settings.dataDir).text);
      onStorageFailure?.(error);
    },
    onEngineTrouble: (line: string) => alerts.tell('engine', line),
    engineChanges: dependencies.engineChanges,
    signal: dependencies.signal,
  } satisfies Record<keyof DaemonNodeOptions, unknown>;
}

/**
 * Builds the node of the daemon from its settings.
 *
 * Throws StorageError, PowUnavailableError or NotifyProgramError, after closing what was opened.
 */
export async function createNode(
  settings: DaemonSettings,
  dependencies: NodeDependencies,
): Promise<DaemonNode> {
  const programs = notifyPrograms(settings.notify, dependencies.logger.child('notify'));
  const optional = await loadOptionalParts(settings);
  const { Webhook } = optional;
  const { logger } = dependencies;
  const desk = createAlerts(settings, { Webhook, program: alertProgram(settings, logger) }, logger);
  const state = new NodeState();
  const { proxy, offline } = settings.p2p;
  const bans = new BanListKeeper(settings.banListUrl, {
    dataDir: settings.dataDir,
    offline,
    dial: proxy && dialThroughSocks(proxy),
    logger: dependencies.logger,
  });
  const node = await toldByDesk(desk, () =>
    openNode(nodeOptions(settings, dependencies, desk), (core) =>
      daemonParts(settings, core, { ...dependencies, programs, optional, state, bans, desk }),
    ),
  );
  return { ...node, state, bans };
}
