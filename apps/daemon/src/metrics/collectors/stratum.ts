import type { StratumServer } from '@monero-node/stratum';
import { setTotals, type Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

/** Returns the collector of the figures about rigs. All are 0 while rigs are not served. */
export function stratumCollector(
  metrics: Instruments['stratum'],
  stratum: Pick<StratumServer, 'rigs' | 'connections' | 'counts'> | undefined,
): Collector {
  return () => {
    if (stratum === undefined) return;
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
