import { BLOCK_COMPLETE_ENTRY, bytesEqual } from '@monero-node/codec';
import { LRUCache } from 'lru-cache';
import { type RenderedObject, renderObject } from '@monero-node/codec/portable-storage';
import { BLOCK_INDICES } from '@monero-node/rpc-schema';
import type { RpcChain } from '../dependencies.ts';
import { readBlock, type BlockParts, type SpanBlock } from './block-span.ts';

/** Blocks below the top that may be kept: more than a day, since wallets in use are rarely further behind. */
export const RECENT_BLOCKS = 1000;
/** A block is kept once for each form in which it was asked for. */
const MAX_KEPT = 1000;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

type RenderedBlock = SpanBlock<RenderedObject, RenderedObject>;
interface Kept extends RenderedBlock {
  readonly id: Uint8Array;
}

/** The newest blocks as they are written into `get_blocks.bin`, which every wallet asks for again and again. */
export class RecentEntries {
  readonly #chain: RpcChain;
  readonly #kept = new LRUCache<string, Kept>({
    max: MAX_KEPT,
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ entry, indices }) => entry.bytes.length + indices.bytes.length,
  });

  constructor(chain: RpcChain) {
    this.#chain = chain;
  }

  /**
   * Returns the main-chain block of a height and id (32 bytes), rendered. Entries are looked up by height and
   * used only when the id is the same: the id determines all earlier blocks and so the output indices.
   * Throws RpcStatus when a requested part was pruned.
   */
  read(height: number, id: Uint8Array, parts: BlockParts): RenderedBlock | undefined {
    if (height + RECENT_BLOCKS < this.#chain.height) return this.#render(height, parts);
    const key = `${height} ${parts.prune} ${parts.withoutMinerTx}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && bytesEqual(kept.id, id)) return kept;
    const rendered = this.#render(height, parts);
    if (rendered !== undefined) this.#kept.set(key, { ...rendered, id });
    return rendered;
  }

  #render(height: number, parts: BlockParts): RenderedBlock | undefined {
    const block = readBlock(this.#chain, height, parts);
    return (
      block && {
        ...block,
        entry: renderObject(BLOCK_COMPLETE_ENTRY, block.entry),
        indices: renderObject(BLOCK_INDICES, block.indices),
      }
    );
  }
}
