import { monotonicMilliseconds, Periodic, systemSeconds, type Logger } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import { rulesFor } from '@monero-node/consensus';
import type { Part } from '@monero-node/node';
import type { P2pNode } from '@monero-node/p2p';
import type { StratumServer } from '@monero-node/stratum';
import type { Alerts } from '../alerts/alerts.ts';
import { ClockNotice } from './clock-notice.ts';
import { DiskNotice, LogFileNotice, PoolNotice } from './resource-notices.ts';
import { FixedPeersNotice } from './fixed-peers-notice.ts';
import { LagNotice } from './lag-notice.ts';
import { MappingNotice } from './mapping-notice.ts';
import { NetworkNotice } from './network-notice.ts';
import { ReadyNotice } from './ready-notice.ts';
import { ReachNotice } from './reach-notice.ts';
import { RigNotice } from './rig-notice.ts';

/** Milliseconds between two checks. */
const INTERVAL = 30_000;
/** The same for whether the node is ready: balancers look as often. */
const READY_INTERVAL = 1000;

export interface NoticeSources {
  readonly p2p: P2pNode;
  readonly blockchain: Pick<Blockchain, 'height' | 'nextVersion' | 'on'>;
  readonly pool: { readonly weight: number };
  /** Weight at which the pool evicts transactions. */
  readonly maxPoolWeight: number;
  /** Returns the free bytes of the disk of the data directory. */
  readonly freeSpace: () => Promise<number>;
  readonly dataDir: string;
  /** False when being alone is normal: offline, and on a regtest for which no peer is named. */
  readonly expectsPeers: boolean;
  /** Whether blocks have the time at which they are made. On regtest they need not. */
  readonly blocksHaveRealTimes: boolean;
  /** Makes the log file again when it was removed. Resolves with a sentence for the operator when it cannot be made. */
  readonly restoreLog: (() => Promise<string | undefined>) | undefined;
  /** Returns the reasons of /health/ready; undefined for a node that is in no fleet. */
  readonly notReady: (() => readonly string[]) | undefined;
  /** Undefined: rigs are not served. */
  readonly stratum: Pick<StratumServer, 'rigs'> | undefined;
  /** Where what is said is raised as alerts too. */
  readonly alerts: Pick<Alerts, 'alarm'>;
  readonly logger: Logger;
}

/** Returns the notice about the clock, which learns from new blocks. */
function watchClock({ alerts, blockchain, logger, p2p }: NoticeSources): ClockNotice {
  const clock = new ClockNotice(
    systemSeconds,
    logger,
    monotonicMilliseconds,
    alerts.alarm('clock'),
  );
  p2p.events.on('futureBlock', () => clock.refused());
  blockchain.on('blocks-added', (blocks) => {
    // Blocks that are downloaded to catch up are old.
    const [block] = blocks;
    if (blocks.length !== 1 || block === undefined || !p2p.synchronized) return;
    if (p2p.connections().every(({ height }) => height <= blockchain.height))
      clock.arrived(Number(block.bundle.block.block.timestamp));
  });
  return clock;
}

/** Returns the notice about rigs that have gone. */
function watchRigs(
  stratum: Pick<StratumServer, 'rigs'>,
  { alerts, logger }: NoticeSources,
): RigNotice {
  return new RigNotice({
    rigs: () => stratum.rigs,
    logger,
    now: monotonicMilliseconds,
    unixTime: systemSeconds,
    newAlarm: () => alerts.alarm('rig-lost'),
  });
}

/** Returns the part of the node that asks for the operator's attention at the default log level. */
export function createNotices(sources: NoticeSources): Part {
  const { alerts, blockchain, dataDir, freeSpace, logger, p2p, pool, stratum } = sources;
  const now = monotonicMilliseconds;
  const disk = new DiskNotice({
    dataDir,
    freeSpace,
    logger,
    now,
    alarm: alerts.alarm('disk'),
    isSynchronizing: () => p2p.targetHeight > blockchain.height,
  });
  const exclusive = (): string[] =>
    p2p.fixedPeers().flatMap(({ kind, text }) => (kind === 'exclusive' ? [text] : []));
  const network = new NetworkNotice(p2p, exclusive, logger, now, alerts.alarm('no-peers'));
  const lag = new LagNotice({
    logger,
    now,
    height: () => blockchain.height,
    blockTime: () => rulesFor(blockchain.nextVersion()).difficultyTarget,
    connections: () => p2p.connections(),
    alarm: alerts.alarm('behind'),
  });
  const logFile =
    sources.restoreLog &&
    new LogFileNotice(sources.restoreLog, logger, now, alerts.alarm('log-file'));
  p2p.events.on('progress', () => lag.check());
  const others = [
    lag,
    new MappingNotice(p2p, logger),
    new ReachNotice(p2p, logger, now, systemSeconds, alerts.alarm('no-incoming')),
    new FixedPeersNotice(
      () => p2p.fixedPeers(),
      logger,
      now,
      () => alerts.alarm('named-peer'),
    ),
    new PoolNotice(
      () => pool.weight,
      sources.maxPoolWeight,
      logger,
      now,
      alerts.alarm('pool-full'),
    ),
    ...(stratum === undefined ? [] : [watchRigs(stratum, sources)]),
    ...(sources.blocksHaveRealTimes ? [watchClock(sources)] : []),
  ];
  const check = async (): Promise<void> => {
    if (sources.expectsPeers) network.check();
    for (const notice of others) notice.check();
    await disk.check();
    await logFile?.check();
  };
  const checks = new Periodic(INTERVAL, check);
  const ready = sources.notReady && new ReadyNotice(sources.notReady, logger, now);
  const readyChecks = new Periodic(READY_INTERVAL, () => ready?.check());
  return {
    name: 'notices',
    start: async () => {
      await check();
      checks.start();
      if (ready !== undefined) readyChecks.start();
    },
    stop: () => {
      checks.stop();
      readyChecks.stop();
      return Promise.resolve();
    },
  };
}
