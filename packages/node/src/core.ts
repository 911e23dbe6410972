import { monotonicMilliseconds, systemSeconds, type Logger } from '@monero-node/base';
import type { BlockTemplates, Blockchain } from '@monero-node/blockchain';
import type { Network } from '@monero-node/consensus';
import { TxPool } from '@monero-node/mempool';
import { MiningLedger, type Miner } from '@monero-node/miner';
import { createP2pNode, resolveP2pOptions, type P2pNode } from '@monero-node/p2p';
import type { PowHasher } from '@monero-node/pow';
import type { HealthFigures, WorkerCounts } from '@monero-node/rpc';
import type { ChainStore, CopyableStore } from '@monero-node/storage';
import type { StratumServer } from '@monero-node/stratum';
import { FleetWatch, type FleetFigures } from './fleet/fleet-watch.ts';
import type { NodeOptions } from './options.ts';
import { freeSpaceOf } from './parts/free-space.ts';
import { partOf, type Part } from './parts/lifecycle.ts';
import { createMining } from './parts/mining.ts';
import type { OpenChain } from './parts/open-chain.ts';
import { PruningSchedule } from './parts/pruning-schedule.ts';
import { treeBuild } from './parts/tree-build.ts';
import { ExpectedWork } from './parts/expected-work.ts';
import { DEFAULT_READINESS, ownTip, Readiness } from './parts/readiness.ts';
import { SeedPreparation } from './parts/seed-preparation.ts';
import { syncTarget } from './parts/target-height.ts';

/** The parts of a node that do not serve clients: what a program builds its additions on. */
export interface NodeCore {
  readonly network: Network;
  readonly dataDir: string | undefined;
  readonly logger: Logger;
  readonly store: ChainStore;
  /** The same store if it is on disk. */
  readonly storeOnDisk: CopyableStore | undefined;
  readonly pow: PowHasher;
  readonly blockchain: Blockchain;
  readonly pool: TxPool;
  readonly p2p: P2pNode;
  readonly templates: BlockTemplates;
  readonly miner: Miner;
  /** The blocks that this node has found. */
  readonly ledger: MiningLedger;
  /** Undefined: rigs are not served. */
  readonly stratum: StratumServer | undefined;
  /** Unix seconds at which the node was opened. */
  readonly startTime: number;
  /** False when being alone is normal: offline, and on a regtest for which no peer is named. */
  readonly expectsPeers: boolean;
  /** Returns the free bytes of the disk of the data directory, or of the memory without one. */
  freeSpace(): Promise<number>;
  /** Returns why programs should use another node now: the reasons of `/health/ready` (docs/operating/monitoring.md). Empty when ready. */
  notReady(): readonly string[];
  /** Returns the figures that the reasons follow from. */
  healthFigures(): HealthFigures;
  /** Returns the other nodes of the fleet as this node sees them; undefined when it knows of no fleet. */
  fleetFigures(): FleetFigures | undefined;
  /** Returns how much of what the node has for answers is in use, 0 to 1; 0 before the RPC exists. See `RpcServer`. */
  saturation(): number;
  /** Returns how the worker processes of the RPC are; undefined without any, and before the RPC exists. */
  rpcWorkers(): WorkerCounts | undefined;
  /** Returns the answer at `/health/fleet`, JSON: what this node says of itself, signed, and what others have said of themselves. */
  fleetAnswer(): string;
  /**
   * Reports `stopping` at `/health/ready` from now on, so that balancers send clients to other nodes, while everything is
   * still served. `stop` has to follow.
   */
  announceStop(): void;
}

/** Parts to start and to stop, by when they do. */
interface CoreParts {
  /** Before all that may find a block. */
  readonly ledger: Part;
  /** Before the pool. */
  readonly seeds: Part;
  /** Before the peers. */
  readonly expectedWork: Part;
  readonly pruning: Part;
  readonly tree: Part;
  readonly pool: Part;
  readonly p2p: Part;
  /** After the peers. */
  readonly mining: Part;
  /** Before the RPC. */
  readonly fleet: Part;
}

/** The dependencies of a core. */
interface CoreDependencies {
  readonly network: Network;
  readonly logger: Logger;
  readonly chain: OpenChain;
  readonly storeFailed: () => boolean;
}

/** Connects pool, peers and miner to an open chain. Nothing is started. */
export function createCore(
  options: NodeOptions,
  { network, logger, chain, storeFailed }: CoreDependencies,
): { core: Omit<NodeCore, 'stratum' | 'saturation' | 'rpcWorkers'>; parts: CoreParts } {
  const { dataDir, now } = options;
  const { store, storeOnDisk, pow, blockchain, outliner } = chain;
  const pruning = new PruningSchedule(
    { wanted: options.prune ?? false },
    { blockchain, logger: logger.child('blockchain') },
  );
  const seeds = new SeedPreparation(options.skipEasiestWork ?? false, {
    blockchain,
    pow,
    logger: logger.child('blockchain'),
  });
  const { maxPoolWeight } = options;
  const pool = new TxPool(
    {
      ...(maxPoolWeight !== undefined && { maxWeight: maxPoolWeight }),
      mineStemTransactions: network.name === 'regtest',
      ...(now && { now, elapsed: monotonicMilliseconds }),
    },
    { blockchain, store, logger: logger.child('txpool') },
  );
  const peers = resolveP2pOptions({ dataDir, ...options.p2p }, network);
  const p2pLogger = logger.child('net.p2p');
  const p2p = createP2pNode(peers, { blockchain, pool, outliner, logger: p2pLogger });
  // The daemon adds a sentence for its operator; a program that embeds the node has this line.
  p2p.events.on('addingFailed', ({ error, retryIn }) => {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    p2pLogger.error(`adding blocks failed, trying again in ${retryIn / 1000} s: ${trace}`);
  });
  const expectedWork = new ExpectedWork(
    {
      skipsEasiest: options.skipEasiestWork ?? false,
      trustedGroups: options.trustedBlocks?.groups.length ?? 0,
      keepsDataset: options.powDataset === 'keep',
    },
    { blockchain, pow, target: () => syncTarget(p2p) },
  );
  pool.on('relay', (batch) => p2p.relayTransactions(batch));
  const { addPeers, exclusiveNodes, offline, priorityNodes, seedNodes } = peers;
  const named = [...addPeers, ...exclusiveNodes, ...priorityNodes, ...seedNodes];
  const expectsPeers = !offline && (network.name !== 'regtest' || named.length > 0);
  const fleet = new FleetWatch({
    nodes: options.fleetNodes ?? [],
    logger: logger.child('global'),
  });
  const freeSpace = freeSpaceOf(dataDir);
  const readiness = new Readiness(
    { ...DEFAULT_READINESS, ...options.readiness },
    {
      chain: blockchain,
      p2p,
      expectsPeers,
      storeFailed,
      freeSpace,
      now: monotonicMilliseconds,
      unixTime: now ?? systemSeconds,
      fleet,
    },
  );
  const ledger = new MiningLedger({
    blockchain,
    directory: dataDir,
    reset: options.resetChain,
    logger: logger.child('global'),
    now,
  });
  const mining = createMining(options.mining ?? {}, {
    blockchain,
    pool,
    p2p,
    pow,
    ledger,
    logger,
    now,
  });
  const core = {
    network,
    dataDir,
    logger,
    store,
    storeOnDisk,
    pow,
    blockchain,
    pool,
    p2p,
    expectsPeers,
    templates: mining.templates,
    miner: mining.miner,
    ledger,
    startTime: systemSeconds(),
    freeSpace,
    notReady: () => readiness.notReady(),
    healthFigures: () => readiness.figures(),
    fleetFigures: () => fleet.figures,
    fleetAnswer: () => {
      const isReady = readiness.notReady().length === 0;
      return fleet.answer({ isReady, tip: ownTip(blockchain) });
    },
    announceStop: () => readiness.announceStop(),
  };
  const parts = {
    ledger: partOf('mining ledger', ledger),
    seeds: partOf('seeds', seeds),
    expectedWork: partOf('expected work', expectedWork),
    pruning: partOf('pruning', pruning),
    tree: treeBuild(blockchain, logger.child('blockchain')),
    pool: partOf('transaction pool', pool),
    p2p: partOf('p2p', p2p),
    mining: mining.part,
    fleet: partOf('fleet', fleet),
  };
  return { core, parts };
}
