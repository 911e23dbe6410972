import { Yielder } from '@monero-node/base';
import { bytesEqual, parseBlockHeader } from '@monero-node/codec';
import {
  LongTermMedian,
  median,
  SHORT_TERM_WINDOW,
  TIMESTAMP_WINDOW,
} from '@monero-node/consensus';
import type { AltBlock, ChainReader } from '@monero-node/storage';
import { HeaderChain, type HeaderInfo } from './header-chain.ts';

/** The parts of a block that later blocks of a side chain need. */
export interface SideHeader extends HeaderInfo {
  /** Atomic units; an estimate, see `alternativeBlock`. */
  readonly generatedCoins: bigint;
  readonly weight: number;
}

/** Blocks of the longest side chain that is worth remembering: at most about 6 MB of headers. */
export const MAX_SIDE_CHAIN = 25_000;

/** Returns the header to remember of a stored block of a side chain, whose timestamp its blob holds. */
export function sideHeader(block: AltBlock, timestamp: number): SideHeader {
  const { id, height, cumulativeDifficulty, generatedCoins, weight } = block;
  return { id: id.slice(), height, cumulativeDifficulty, generatedCoins, weight, timestamp };
}

/**
 * The headers of a side chain on top of the main chain that it left. A push costs about the same however long the
 * chain is.
 */
export class SideChain {
  readonly headers: HeaderChain<SideHeader>;
  readonly #store: ChainReader;
  /** Timestamps of all pushed headers; absent until they are asked for. */
  #timestamps: LongTermMedian | undefined;
  /** The block that the first one builds on, when this was read. */
  readonly #parent: Uint8Array | undefined;

  /**
   * @param splitHeight height of its first block; the main chain below is shared
   * @param headers oldest first
   */
  constructor(store: ChainReader, splitHeight: number, headers: readonly SideHeader[] = []) {
    this.#store = store;
    this.headers = new HeaderChain(store, splitHeight);
    for (const header of headers) this.headers.push(header);
    this.#parent = store.blockMeta(splitHeight - 1)?.id;
  }

  /** Height of its first block. */
  get splitHeight(): number {
    return this.headers.baseHeight;
  }

  /** Number of blocks, without those of the main chain. */
  get length(): number {
    return this.headers.pushed.length;
  }

  /** Whether the block that its first block builds on still is part of the main chain. */
  get isAttached(): boolean {
    const parent = this.#store.blockMeta(this.splitHeight - 1)?.id;
    return parent !== undefined && this.#parent !== undefined && bytesEqual(parent, this.#parent);
  }

  /** Coins generated up to its newest block, atomic units. */
  get generatedCoins(): bigint {
    const newest = this.headers.pushed.at(-1);
    const below = () => this.#store.blockMeta(this.splitHeight - 1)?.generatedCoins;
    return newest?.generatedCoins ?? below() ?? 0n;
  }

  /**
   * Returns the lowest timestamp, Unix seconds, that the next block may have: the median over all of the side chain or,
   * while it is shorter than 60 blocks, over the newest 60 with those of the main chain without genesis. Undefined
   * while there are fewer.
   * Source: complete_timestamps_vector in src/cryptonote_core/blockchain.cpp.
   */
  get lowestTimestamp(): number | undefined {
    if (this.length >= TIMESTAMP_WINDOW) return this.#ownTimestamps.median;
    const count = Math.min(TIMESTAMP_WINDOW, this.headers.height - 1);
    if (count < TIMESTAMP_WINDOW) return undefined;
    return median(this.headers.tail(count).map(({ timestamp }) => timestamp));
  }

  /**
   * Returns a weight that no next block of this chain can have: twice the limit that would follow if all of its newest
   * blocks had the weight of the heaviest one.
   *
   * @param limit of the next block of the main chain
   */
  greatestWeight(limit: number): number {
    const own = this.headers.pushed.slice(-SHORT_TERM_WINDOW).map(({ weight }) => weight);
    const below = this.#store
      .blockMetas(Math.max(0, this.splitHeight - SHORT_TERM_WINDOW), this.splitHeight)
      .map(({ weight }) => weight);
    return 2 * Math.max(limit, 2 * Math.max(...own, ...below));
  }

  push(header: SideHeader): void {
    this.headers.push(header);
    this.#timestamps?.push(header.timestamp);
  }

  /** Returns the part of the chain up to its block at `height`. */
  upTo(height: number): SideChain {
    const headers = this.headers.pushed.slice(0, height - this.splitHeight + 1);
    return new SideChain(this.#store, this.splitHeight, headers);
  }

  get #ownTimestamps(): LongTermMedian {
    this.#timestamps ??= LongTermMedian.from(
      this.headers.pushed.map(({ timestamp }) => timestamp),
      Math.max(MAX_SIDE_CHAIN, this.length),
    );
    return this.#timestamps;
  }
}

/**
 * Reads the chain that ends in the block with the 32-byte id `parentId` from storage, yielding to the event loop.
 * Resolves to undefined when the block, or one of its ancestors, is unknown.
 */
export async function readSideChain(
  store: ChainReader,
  parentId: Uint8Array,
): Promise<SideChain | undefined> {
  const yielder = new Yielder();
  const headers: SideHeader[] = [];
  let id = parentId;
  for (;;) {
    const height = store.heightOf(id);
    if (height !== undefined) return new SideChain(store, height + 1, headers.reverse());
    const block = store.altBlock(id);
    if (block === undefined) return undefined;
    headers.push(sideHeader(block, parseBlockHeader(block.blob).timestamp));
    id = block.prevId;
    await yielder.yieldIfDue();
  }
}
