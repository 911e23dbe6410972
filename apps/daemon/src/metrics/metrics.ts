import { monotonicMilliseconds, Yielder, type Logger, type SecondClock } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import type { TxPool } from '@monero-node/mempool';
import type { Miner, MiningLedger } from '@monero-node/miner';
import type { FleetFigures, Part } from '@monero-node/node';
import type { P2pNode } from '@monero-node/p2p';
import type { PowHasher } from '@monero-node/pow';
import type { OnCall } from '@monero-node/rpc';
import type { ChainStore } from '@monero-node/storage';
import type { StratumServer } from '@monero-node/stratum';
import type { MetricsSettings } from '../cli/service-settings.ts';
import { CATALOG } from './catalog.ts';
import type { NamedCollector } from './collector-run.ts';
import { chainCollector } from './collectors/chain.ts';
import type { Collector } from './collectors/collector.ts';
import { eventsCollector, type EventsSource } from './collectors/events.ts';
import { fleetCollector } from './collectors/fleet.ts';
import { ledgerCollector } from './collectors/ledger.ts';
import { nodeCollector, type NodeSources } from './collectors/node.ts';
import { p2pCollector } from './collectors/p2p.ts';
import { processCollector, ProcessWatch } from './collectors/process.ts';
import { storeCollector } from './collectors/store.ts';
import { seedCollector, type SeedSourceFigures } from './collectors/seed.ts';
import { stratumCollector } from './collectors/stratum.ts';
import { txPoolCollector } from './collectors/txpool.ts';
import { verificationCollector } from './collectors/verification.ts';
import { workCollector } from './collectors/work.ts';
import { createInstruments, type Instruments, rpcObserver } from './instruments.ts';
import type { MetricSpec } from './metric-spec.ts';
import { MetricsServer } from './metrics-server.ts';
import { Scraper } from './scraper.ts';

/** The parts of the node that the metrics describe. */
export interface MetricsSources extends NodeSources {
  readonly blockchain: Blockchain;
  readonly store: ChainStore;
  readonly p2p: P2pNode;
  readonly pool: TxPool;
  readonly pow: PowHasher;
  readonly miner: Pick<Miner, 'status'>;
  readonly ledger: Pick<MiningLedger, 'entries' | 'hashes'>;
  readonly stratum: Pick<StratumServer, 'rigs' | 'connections' | 'counts'> | undefined;
  /** Undefined while no events are published. */
  readonly events: EventsSource | undefined;
  /** Undefined while no new node may copy the chain. */
  readonly seeds: SeedSourceFigures | undefined;
  /** Returns the other nodes of the fleet; undefined without any. */
  readonly fleetFigures: () => FleetFigures | undefined;
  /** Returns the free bytes of the disk of the data directory. */
  readonly freeSpace: () => Promise<number>;
  /** Unix seconds. */
  readonly now: SecondClock;
  readonly logger: Logger;
}

/** The metrics of a node: the observer of its RPC calls, and the part that serves the metrics. */
export interface Metrics {
  readonly onCall: OnCall;
  readonly part: Part;
}

type Group = keyof typeof CATALOG;

/** Creates the metrics of a node. Nothing is read before the first scrape; reorganizations and RPC calls are counted. */
export function createMetrics(settings: MetricsSettings, sources: MetricsSources): Metrics {
  const { registry, instruments } = createInstruments();
  const watch = new ProcessWatch(instruments.process);
  const collectors = collectorsOf(instruments, sources, watch);
  const scraper = new Scraper({ registry, metrics: instruments.scrape }, collectors, {
    yielder: () => new Yielder(),
    now: monotonicMilliseconds,
    logger: sources.logger,
  });
  const server = new MetricsServer(settings, { scraper, logger: sources.logger });
  const part: Part = {
    name: 'metrics',
    start: async () => {
      await server.start();
      watch.start();
    },
    stop: async () => {
      watch.stop();
      await server.stop();
    },
  };
  return { onCall: rpcObserver(instruments.rpc), part };
}

function collectorsOf(
  instruments: Instruments,
  sources: MetricsSources,
  watch: ProcessWatch,
): NamedCollector[] {
  const { blockchain, p2p } = sources;
  return [
    of(['node', 'log', 'answers'], nodeCollector(instruments, sources)),
    of(['chain'], chainCollector(instruments.chain, sources)),
    of(['p2p'], p2pCollector(instruments.p2p, p2p)),
    of(['txpool'], txPoolCollector(instruments.txpool, sources)),
    of(['verification'], verificationCollector(instruments.verification, blockchain)),
    of(['store'], storeCollector(instruments.store, sources)),
    of(['pow', 'miner'], workCollector(instruments, sources)),
    of(['ledger'], ledgerCollector(instruments.ledger, sources)),
    of(['stratum'], stratumCollector(instruments.stratum, sources.stratum)),
    of(['events'], eventsCollector(instruments.events, sources.events)),
    of(['seed'], seedCollector(instruments.seed, sources.seeds)),
    of(['fleet'], fleetCollector(instruments.fleet, sources.fleetFigures)),
    of(['process'], processCollector(instruments.process, watch)),
  ];
}

/** Returns a collector that sets all metrics of the groups; it has the name of the first. */
function of(groups: readonly [Group, ...Group[]], collect: Collector): NamedCollector {
  const metrics = groups.flatMap((group) => Object.values<MetricSpec>(CATALOG[group]));
  return { name: groups[0], metrics: metrics.map(({ name }) => name), collect };
}
