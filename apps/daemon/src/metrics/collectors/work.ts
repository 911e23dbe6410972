import type { Miner } from '@monero-node/miner';
import type { PowHasher } from '@monero-node/pow';
import type { Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

export interface WorkSources {
  readonly pow: Pick<PowHasher, 'seedsHeld'>;
  readonly miner: Pick<Miner, 'status'>;
}

/** Returns the collector of the figures about proof of work and mining. */
export function workCollector(
  { pow: powMetrics, miner: minerMetrics }: Pick<Instruments, 'pow' | 'miner'>,
  { pow, miner }: WorkSources,
): Collector {
  return () => {
    const { active, speed, threads } = miner.status;
    powMetrics.seeds.set(pow.seedsHeld ?? 0);
    minerMetrics.active.set(active ? 1 : 0);
    minerMetrics.hashRate.set(speed);
    minerMetrics.threads.set(threads);
  };
}
