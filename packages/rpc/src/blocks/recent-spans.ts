import type { Yielder } from '@monero-node/base';
import { bytesEqual, concatBytes } from '@monero-node/codec';
import {
  type CountedList,
  RenderedList,
  type RenderedObject,
} from '@monero-node/codec/portable-storage';
import { LRUCache } from 'lru-cache';
import type { RpcChain } from '../dependencies.ts';
import { type BlockParts, type BlockSpan, readSpan, type SpanLimits } from './block-span.ts';
import { RECENT_BLOCKS, RecentEntries } from './recent-entries.ts';

const MAX_KEPT = 64;
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** A longer span is not kept: it is that of a wallet that has been away for long. */
const MAX_SPAN_BYTES = 1024 * 1024;

/** The blocks of a span as they are written into `get_blocks.bin`. */
export interface RenderedSpan {
  readonly blocks: RenderedList | CountedList<RenderedObject> | readonly RenderedObject[];
  readonly indices: RenderedList | readonly RenderedObject[];
  /** Bytes of blocks and indices that are kept until they are sent. */
  readonly keptBytes: number;
}

/** Where a span begins, how long it may be and what of each block is wanted. */
export interface SpanRequest {
  readonly from: number;
  readonly limits: SpanLimits;
  readonly parts: BlockParts;
}

/**
 * Reads spans for wallets. After each block all wallets in use ask for the few newest blocks, most of them from the same height on, so
 * short spans that end at the top, or after as many blocks as were asked for, are kept in one piece until the chain changes.
 */
export class RecentSpans {
  readonly #chain: RpcChain;
  readonly #entries: RecentEntries;
  readonly #kept = new LRUCache<string, Readonly<Record<'blocks' | 'indices', RenderedList>>>({
    max: MAX_KEPT,
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ blocks, indices }) => blocks.bytes.length + indices.bytes.length + 1,
  });
  /** The top of the chain to which the kept spans belong. */
  #topId: Uint8Array = new Uint8Array(0);

  constructor(chain: RpcChain) {
    this.#chain = chain;
    this.#entries = new RecentEntries(chain);
  }

  /** Returns the main-chain blocks from a height on, as `readSpan` does. Throws RpcStatus when a requested part was pruned. */
  async read(request: SpanRequest, yielder: Yielder): Promise<RenderedSpan> {
    const { from, limits, parts } = request;
    const { height, topId } = this.#chain;
    const key = keyOf(request);
    const kept = bytesEqual(topId, this.#topId) ? this.#kept.get(key) : undefined;
    if (kept !== undefined) return { ...kept, keptBytes: sizeOf(kept) };
    const span = await readSpan(
      this.#chain,
      { from, limits, read: (at, id) => this.#entries.read(at, id, parts) },
      yielder,
    );
    const { blocks, indices, keptBytes } = span;
    // One that ended before may have met another chain, which was left again.
    const end = Math.min(height, from + limits.blocks);
    const isWhole = from + blocks.length === end && bytesEqual(topId, this.#chain.topId);
    if (isWhole && from + RECENT_BLOCKS >= height && isShort(span)) {
      return this.#keep(key, topId, span);
    }
    return {
      blocks,
      indices,
      keptBytes: indices.reduce((sum, { bytes }) => sum + bytes.length, keptBytes),
    };
  }

  #keep(key: string, topId: Uint8Array, { blocks, indices }: ShortSpan): RenderedSpan {
    if (!bytesEqual(topId, this.#topId)) {
      this.#kept.clear();
      this.#topId = topId;
    }
    const joined = { blocks: listOf(blocks), indices: listOf(indices) };
    this.#kept.set(key, joined);
    return { ...joined, keptBytes: sizeOf(joined) };
  }
}

function keyOf({ from, limits, parts }: SpanRequest): string {
  const { blocks, transactions, bytes } = limits;
  return `${from} ${blocks} ${transactions} ${bytes} ${parts.prune} ${parts.withoutMinerTx}`;
}

/** A span of which all blocks are ready. */
interface ShortSpan extends BlockSpan<RenderedObject, RenderedObject> {
  readonly blocks: readonly RenderedObject[];
}

function isShort(span: BlockSpan<RenderedObject, RenderedObject>): span is ShortSpan {
  return Array.isArray(span.blocks) && span.keptBytes <= MAX_SPAN_BYTES;
}

function listOf(objects: readonly RenderedObject[]): RenderedList {
  return new RenderedList(objects.length, concatBytes(...objects.map(({ bytes }) => bytes)));
}

function sizeOf({ blocks, indices }: Readonly<Record<'blocks' | 'indices', RenderedList>>): number {
  return blocks.bytes.length + indices.bytes.length;
}
