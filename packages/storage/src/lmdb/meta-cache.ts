import { BoundedMap } from '@monero-node/base';
import type { BlockMeta } from '../records.ts';

/** About 1 MiB. Wallets and explorers ask for the newest blocks again and again, and for 1,000 of them at most. */
const MAX_KEPT = 2048;

/** Decoded rows of blocks that were read lately. Each belongs to the current snapshot. */
export class MetaCache {
  readonly #kept = new BoundedMap<number, BlockMeta>(MAX_KEPT);

  /** Returns a copy of the block at a height, from `read` when it is not kept. */
  get(height: number, read: (height: number) => BlockMeta | undefined): BlockMeta | undefined {
    let meta = this.#kept.get(height);
    if (meta === undefined) {
      meta = read(height);
      if (meta === undefined) return undefined;
      this.#kept.set(height, meta);
    }
    return { ...meta, id: meta.id.slice() };
  }

  /** Must be called when the snapshot changes. */
  clear(): void {
    if (this.#kept.size > 0) this.#kept.clear();
  }
}
