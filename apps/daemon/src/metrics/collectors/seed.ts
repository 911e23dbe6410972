import type { CopyStatus } from '../../seed/copy-progress.ts';
import { setTotals, type Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

/** Something that gives the chain to new nodes. */
export interface SeedSourceFigures {
  readonly status: CopyStatus;
}

/** Returns the collector of the figures about new nodes that copy the chain. All are 0 without `--seed-bind-port`. */
export function seedCollector(
  metrics: Instruments['seed'],
  seeds: SeedSourceFigures | undefined,
): Collector {
  return () => {
    const { position = 0, size = 0, bytes = 0 } = seeds?.status ?? {};
    metrics.position.set(position);
    metrics.size.set(size);
    setTotals(metrics.sent, [[{}, bytes]]);
  };
}
