import { inSlices, Yielder } from '@monero-node/base';
import type { BottomGrowth, ScheduledOutput } from '@monero-node/curve-tree';
import type { BottomEnd, PendingGrowth, TreeThreads } from '@monero-node/curve-tree/threads';
import { TREE_AHEAD } from '@monero-node/consensus';
import type { ChainReader } from '@monero-node/storage';
import type { ChainTree } from '../view/tree/chain-tree.ts';

/** How much is written together. */
export interface BatchLimits {
  readonly blocks: number;
  /** Outputs at which a batch ends. */
  readonly outputs: number;
}

/** Some megabytes in memory. */
const LIMITS: BatchLimits = { blocks: 400, outputs: 4000 };
/** Batches that threads work on while one is written: each leaves them idle only once it is read. */
const BATCHES_AHEAD = 3;

/** Consecutive blocks with what threads have made of them. */
export interface TreeBatch {
  /** Height of the first. */
  readonly from: number;
  readonly blocks: readonly {
    /** 32 bytes. The chain may have other blocks by now. */
    readonly id: Uint8Array;
    readonly outputs: readonly ScheduledOutput[];
    readonly bottom: BottomGrowth;
  }[];
}

interface ReadBatch {
  readonly from: number;
  readonly blocks: readonly {
    readonly id: Uint8Array;
    readonly outputs: readonly ScheduledOutput[];
  }[];
  readonly growth: PendingGrowth;
}

/** An output that waits, and the height of its block. */
interface Waiting {
  readonly height: number;
  readonly output: ScheduledOutput;
}

export interface BatchDependencies {
  readonly store: ChainReader;
  readonly tree: ChainTree;
  readonly threads: TreeThreads;
  /** 400 blocks and 4000 outputs when absent: what a stop loses at the most. */
  readonly limits?: BatchLimits | undefined;
}

/**
 * The stored blocks that a tree lacks, read some batches ahead of the tree, so that threads have work. What enters with a block needs no
 * arithmetic: it is what waits in the stored tree, what waits of the blocks between, and what the block has itself.
 */
export class TreeBatches {
  readonly #dependencies: BatchDependencies;
  readonly #ahead: ReadBatch[] = [];
  /** Outputs of blocks that were read and are not in the stored tree, by the index at which they enter. */
  readonly #waiting = new Map<bigint, Waiting[]>();
  #height: number;
  #end: Promise<BottomEnd> | BottomEnd;

  constructor(dependencies: BatchDependencies) {
    this.#dependencies = dependencies;
    this.#height = dependencies.tree.blocks;
    this.#end = dependencies.tree.bottomEnd;
  }

  /**
   * Resolves with the next batch; undefined behind the top of the chain. Ask again when the blocks of the last one are in the stored tree, and
   * `stored` was told so. Rejects with StorageError `damaged` for a block that cannot be read, and as the threads do.
   */
  async next(): Promise<TreeBatch | undefined> {
    const { store } = this.#dependencies;
    while (this.#ahead.length < BATCHES_AHEAD && this.#height < store.height)
      this.#ahead.push(await this.#read());
    const batch = this.#ahead.shift();
    if (batch === undefined) return undefined;
    const bottoms = await batch.growth.bottoms;
    const blocks = batch.blocks.map((block, i) => {
      const bottom = bottoms[i];
      if (bottom === undefined) throw new Error('threads have grown fewer blocks than they got');
      return { ...block, bottom };
    });
    return { from: batch.from, blocks };
  }

  async #read(): Promise<ReadBatch> {
    const { store, tree, threads, limits = LIMITS } = this.#dependencies;
    const yielder = new Yielder();
    const from = this.#height;
    const end = from + limits.blocks;
    const blocks: { id: Uint8Array; outputs: readonly ScheduledOutput[] }[] = [];
    const entering: (readonly Pick<ScheduledOutput, 'key' | 'commitment' | 'kind'>[])[] = [];
    for (let count = 0; this.#height < end && count < limits.outputs; this.#height++) {
      // Blocks may have been popped meanwhile.
      const id = store.blockMeta(this.#height)?.id;
      if (id === undefined) break;
      const outputs = await tree.outputsOf(this.#height, yielder);
      blocks.push({ id, outputs });
      const waited = await inSlices(
        store.tree.lockedSteps(BigInt(this.#height + TREE_AHEAD)),
        yielder,
      );
      entering.push([...waited, ...this.#ownEntering(this.#height, outputs)]);
      count += outputs.length;
    }
    const growth = threads.grow(entering, this.#end);
    this.#end = growth.end;
    return { from, blocks, growth };
  }

  /** Returns what enters with a block of those that are read and not stored, in the order of the unified ids. */
  #ownEntering(height: number, outputs: readonly ScheduledOutput[]): ScheduledOutput[] {
    const index = BigInt(height + TREE_AHEAD);
    for (const output of outputs) {
      const waiting = this.#waiting.get(output.entersAt) ?? [];
      waiting.push({ height, output });
      this.#waiting.set(output.entersAt, waiting);
    }
    const own = this.#waiting.get(index) ?? [];
    this.#waiting.delete(index);
    return own.map(({ output }) => output);
  }

  /** Says that the stored tree has the blocks below a height: it has what waits of them, too. */
  stored(height: number): void {
    for (const [index, waiting] of this.#waiting) {
      const rest = waiting.filter((each) => each.height >= height);
      if (rest.length === 0) this.#waiting.delete(index);
      else this.#waiting.set(index, rest);
    }
  }
}
