import type { ChainStore } from '@monero-node/storage';
import type { Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

export interface StoreSources {
  readonly store: Pick<ChainStore, 'sizeOnDisk' | 'pageUse'>;
  /** Returns the free bytes of the disk of the data directory. */
  readonly freeSpace: () => Promise<number>;
}

/** Returns the collector of the figures about the store and its disk. */
export function storeCollector(
  metrics: Instruments['store'],
  { store, freeSpace }: StoreSources,
): Collector {
  return async () => {
    const { pageBytes, used, free, mapBytes } = store.pageUse();
    metrics.fileBytes.set(store.sizeOnDisk);
    metrics.mapBytes.set(mapBytes);
    metrics.pageBytes.set(pageBytes);
    metrics.pages.set({ state: 'used' }, used);
    metrics.pages.set({ state: 'free' }, free);
    // A system that cannot say how much is free must not hide all other figures.
    metrics.freeDisk.set(await freeSpace().catch(() => NaN));
  };
}
