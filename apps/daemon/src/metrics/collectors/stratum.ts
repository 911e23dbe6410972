import type { StratumServer } from '@monero-node/stratum';
import { setTotals, type Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

/** What a node without rigs shows: alerts and panels find every series. */
const NO_RIGS: Pick<StratumServer, 'rigs' | 'connections' | 'counts'> = {
  rigs: [],
  connections: 0,
  counts: { shares: { accepted: 0, stale: 0, refused: 0 }, hashes: 0, blocks: 0, bans: 0 },
};

/** Returns the collector of the figures about rigs. All are 0 while rigs are not served. */
export function stratumCollector(
  metrics: Instruments['stratum'],
  stratum: Pick<StratumServer, 'rigs' | 'connections' | 'counts'> = NO_RIGS,
): Collector {
  return () => {
    const connected = stratum.rigs.filter(({ connections }) => connections > 0);
    const { shares, hashes, blocks, bans } = stratum.counts;
    metrics.rigs.set(connected.length);
    metrics.connections.set(stratum.connections);
    metrics.hashRate.set(stratum.rigs.reduce((sum, { rate }) => sum + rate.current, 0));
    setTotals(metrics.hashes, [[{}, hashes]]);
    setTotals(
      metrics.shares,
      Object.entries(shares).map(([result, count]) => [{ result }, count]),
    );
    setTotals(metrics.blocks, [[{}, blocks]]);
    setTotals(metrics.bans, [[{}, bans]]);
  };
}
