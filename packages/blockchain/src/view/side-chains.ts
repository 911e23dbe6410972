import { bytesEqual } from '@monero-node/codec';
import type { ChainReader } from '@monero-node/storage';
import { MAX_SIDE_CHAIN, readSideChain, SideChain, type SideHeader } from './side-chain.ts';

/** Side chains whose headers are remembered. */
const MAX_CHAINS = 4;

/**
 * The side chains to which blocks were added last, so that the next block of one costs the same whatever its length:
 * monerod, and this node after a start, reads all of a side chain for each of its blocks.
 */
export class SideChains {
  readonly #store: ChainReader;
  /** The one that grew last comes last. */
  #chains: SideChain[] = [];

  constructor(store: ChainReader) {
    this.#store = store;
  }

  /**
   * Returns the chain that ends in the block with the 32-byte id `parentId`; undefined when the block, or one of its
   * ancestors, is unknown. A chain that is not remembered, such as one past 25,000 blocks, is read from storage.
   */
  async endingIn(parentId: Uint8Array): Promise<SideChain | undefined> {
    const height = this.#store.heightOf(parentId);
    if (height !== undefined) return new SideChain(this.#store, height + 1);
    return this.#remembered(parentId) ?? (await readSideChain(this.#store, parentId));
  }

  /** Adds a block that was stored to the chain, one that `endingIn` returned for its parent, and remembers it. */
  push(chain: SideChain, header: SideHeader): void {
    chain.push(header);
    const others = this.#chains.filter((other) => other !== chain);
    this.#chains = chain.length > MAX_SIDE_CHAIN ? others : [...others, chain].slice(-MAX_CHAINS);
  }

  /** Forgets all. Call it when blocks of side chains were removed, or became part of the main chain. */
  clear(): void {
    this.#chains = [];
  }

  #remembered(id: Uint8Array): SideChain | undefined {
    // The main chain may have been popped below the split.
    this.#chains = this.#chains.filter((chain) => chain.isAttached);
    const height = this.#chains.length > 0 ? this.#store.altBlock(id)?.height : undefined;
    if (height === undefined) return undefined;
    for (const chain of this.#chains) {
      const found = chain.headers.pushed[height - chain.splitHeight]?.id;
      if (found === undefined || !bytesEqual(found, id)) continue;
      return height === chain.headers.height - 1 ? chain : chain.upTo(height);
    }
    return undefined;
  }
}
