import { bytesEqual, parseBlock } from '@monero-node/codec';
import type { AltBlock } from '@monero-node/storage';
import { LRUCache } from 'lru-cache';
import type { RpcChain } from '../dependencies.ts';
import type { KnownBlock } from './block-header.ts';

/** Bytes of blocks kept in parsed form; what a block takes as objects is a few times that, and a kilobyte for its header as text. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
const MAX_KEPT_BLOCKS = 2000;

/** Finds blocks and parses them, which costs several hashes; those asked for lately are kept parsed. */
export class BlockLookup {
  readonly #chain: RpcChain;
  /** Main-chain blocks by height; used only while the id at that height is still the same. */
  readonly #kept = new LRUCache<number, KnownBlock>({
    max: MAX_KEPT_BLOCKS,
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ parsed }) => parsed.blob.length,
  });

  constructor(chain: RpcChain) {
    this.#chain = chain;
  }

  /** The main-chain block at a height; undefined above the chain. */
  at(height: number): KnownBlock | undefined {
    const chain = this.#chain;
    const meta = chain.store.blockMeta(height);
    if (meta === undefined) return undefined;
    const kept = this.#kept.get(height);
    if (kept !== undefined && bytesEqual(kept.parsed.id, meta.id)) return kept;
    const blob = chain.store.blockBlob(height);
    if (blob === undefined) return undefined;
    const { weight, longTermWeight, cumulativeDifficulty } = meta;
    const difficulty = chain.difficultyOf(height);
    const figures = { height, weight, longTermWeight, cumulativeDifficulty, difficulty };
    const block = { ...figures, parsed: parseBlock(blob), orphan: false, headerText: undefined };
    this.#kept.set(height, block);
    return block;
  }

  /** A block of the main chain or of an alternative one; undefined when unknown. */
  byId(id: Uint8Array): KnownBlock | undefined {
    const { store } = this.#chain;
    const height = store.heightOf(id);
    if (height !== undefined) return this.at(height);
    const alternative = store.altBlock(id);
    return alternative === undefined ? undefined : this.#alternative(alternative);
  }

  /** Alternative blocks have no long-term weight; it depends on the chain they would be part of. */
  #alternative({ height, weight, cumulativeDifficulty, prevId, blob }: AltBlock): KnownBlock {
    const { store } = this.#chain;
    const parentHeight = store.heightOf(prevId);
    const below =
      parentHeight === undefined
        ? store.altBlock(prevId)?.cumulativeDifficulty
        : store.blockMeta(parentHeight)?.cumulativeDifficulty;
    return {
      parsed: parseBlock(blob),
      headerText: undefined,
      height,
      orphan: true,
      weight,
      longTermWeight: 0,
      difficulty: cumulativeDifficulty - (below ?? 0n),
      cumulativeDifficulty,
    };
  }
}
