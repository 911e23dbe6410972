import { toHex } from '@monero-node/codec';
import type { BlockAddition, OutputGrowth } from '@monero-node/curve-tree';

/** What a block has added to a curve tree. It depends on the chain below alone, so the block's id names it. */
export interface GrownBlock {
  readonly addition: BlockAddition;
  readonly growth: OutputGrowth;
}

/** Outputs of all that is remembered, each about 300 bytes with its share of nodes: some megabytes. */
const MAX_OUTPUTS = 20_000;

function outputsOf({ addition }: GrownBlock): number {
  // A block without outputs takes up memory too.
  return 1 + addition.outputs + addition.entering.length;
}

/**
 * Remembers what the newest blocks have added, so that no curve arithmetic is done twice when a block is verified again, when it is on a side
 * chain first, and when a reorganization is taken back.
 */
export class GrownBlocks {
  /** By hex ids; the oldest comes first. */
  readonly #blocks = new Map<string, GrownBlock>();
  #outputs = 0;

  /** @param id 32 bytes */
  get(id: Uint8Array): GrownBlock | undefined {
    return this.#blocks.get(toHex(id));
  }

  /** @param id 32 bytes */
  add(id: Uint8Array, block: GrownBlock): void {
    const name = toHex(id);
    this.#remove(name);
    this.#blocks.set(name, block);
    this.#outputs += outputsOf(block);
    for (const oldest of this.#blocks.keys()) {
      if (this.#outputs <= MAX_OUTPUTS) return;
      this.#remove(oldest);
    }
  }

  /** Puts a block in the place of one that is remembered; does nothing where that is not. */
  replace(wrong: GrownBlock, right: GrownBlock): void {
    for (const [name, block] of this.#blocks) if (block === wrong) this.#blocks.set(name, right);
  }

  #remove(name: string): void {
    const block = this.#blocks.get(name);
    if (block === undefined) return;
    this.#blocks.delete(name);
    this.#outputs -= outputsOf(block);
  }
}
