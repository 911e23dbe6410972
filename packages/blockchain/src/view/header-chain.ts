import { DIFFICULTY_BLOCKS } from '@monero-node/consensus';
import type { ChainReader } from '@monero-node/storage';

/** The fields of earlier blocks that the header rules use. */
export interface HeaderInfo {
  readonly height: number;
  /** 32 bytes. */
  readonly id: Uint8Array;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly cumulativeDifficulty: bigint;
}

/**
 * Headers of a chain that shares the main chain below `baseHeight`: the stored ones, plus those pushed on
 * top.
 */
export class HeaderChain<T extends HeaderInfo = HeaderInfo> {
  readonly baseHeight: number;
  /** Headers on top of the stored ones, oldest first. */
  readonly pushed: T[] = [];
  readonly #store: ChainReader;
  /** Stored headers just below `baseHeight`, oldest first, up to the longest window of any rule. */
  readonly #below: readonly HeaderInfo[];

  constructor(store: ChainReader, baseHeight: number, window = DIFFICULTY_BLOCKS) {
    this.#store = store;
    this.baseHeight = baseHeight;
    this.#below = store.blockMetas(Math.max(0, baseHeight - window), baseHeight);
  }

  get height(): number {
    return this.baseHeight + this.pushed.length;
  }

  get top(): HeaderInfo | undefined {
    return this.pushed.at(-1) ?? this.#below.at(-1);
  }

  push(header: T): void {
    this.pushed.push(header);
  }

  /** Returns the newest `count` headers (fewer on a short chain), oldest first. */
  tail(count: number): HeaderInfo[] {
    if (this.pushed.length >= count) return this.pushed.slice(this.pushed.length - count);
    const stored = count - this.pushed.length;
    return [...this.#below.slice(Math.max(0, this.#below.length - stored)), ...this.pushed];
  }

  /** Returns the 32-byte id of the block at `height` on this chain. */
  idAt(height: number): Uint8Array | undefined {
    if (height >= this.baseHeight) return this.pushed[height - this.baseHeight]?.id;
    return this.#store.blockMeta(height)?.id;
  }
}
