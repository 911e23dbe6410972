import type { Blockchain, BlockBundle } from '@monero-node/blockchain';
import { parseBlock, toHex } from '@monero-node/codec';

/** A chain as it once was cannot be restored, because its blocks are not known. */
export class LostBlockError extends Error {
  override readonly name = 'LostBlockError';
  readonly code = 'unknown-block';
}

/** Keeps the blocks that leave the chain, so that it can become again what it was. */
export class RemovedBlocks {
  readonly #chain: Blockchain;
  readonly #removed = new Map<string, BlockBundle>();

  constructor(chain: Blockchain) {
    this.#chain = chain;
    const keep = ({ removed }: { readonly removed: readonly BlockBundle[] }): void => {
      for (const bundle of removed) this.#removed.set(toHex(parseBlock(bundle.block).id), bundle);
    };
    chain.on('reorg', keep);
    chain.on('popped', keep);
  }

  /**
   * Returns the blocks to add, lowest first, and the height to cut the main chain at first, so that the block with
   * this 32-byte id is its top. Throws LostBlockError when the block, or one below it, is unknown.
   */
  pathTo(id: Uint8Array): { readonly cutAt: number; readonly blocks: readonly BlockBundle[] } {
    const blocks: BlockBundle[] = [];
    for (let at = id; ;) {
      const height = this.#chain.store.heightOf(at);
      if (height !== undefined) return { cutAt: height + 1, blocks: blocks.reverse() };
      const bundle = this.#removed.get(toHex(at));
      if (bundle === undefined) throw new LostBlockError(`block ${toHex(at)} is unknown`);
      blocks.push(bundle);
      at = parseBlock(bundle.block).block.prevId;
    }
  }
}
