import { inSlices, type Yielder } from '@monero-node/base';
import { bytesEqual, type CurveTreeRoot } from '@monero-node/codec';
import {
  createTreeHasher,
  CurveTree,
  entriesOf,
  isSameRoot,
  REFERENCE_HASHER,
  rootOf,
  type ScheduledOutput,
  scheduleSteps,
  type TreeHasher,
  TreeRootReader,
} from '@monero-node/curve-tree';
import type { BottomEnd } from '@monero-node/curve-tree/threads';
import type { ChainChange, ChainReader } from '@monero-node/storage';
import type { TreePlace, TreeRoots } from '../tree-roots.ts';
import { type GrownBlock, GrownBlocks } from './grown-blocks.ts';
import { storedScheduledBlock } from './stored-block.ts';
import { type OnWrongGrowth, SecondGrowth } from './second-growth.ts';
import { TreeOutputs } from '../tree-outputs.ts';
import { type TreeTools, ViewTree } from './view-tree.ts';

/** A part of {@link ChainChange}. */
type TreeChange = NonNullable<ChainChange['tree']>;

/** What a tree that is to grow may be given. */
export interface GrowingOptions {
  /** The fastest of this machine by default. */
  readonly hasher?: TreeHasher | undefined;
  /** Told why that is not native code: a sentence for the log, without a full stop. */
  readonly onFallback?: ((reason: string) => void) | undefined;
  /** Told of blocks that were grown wrong. */
  readonly onWrong?: OnWrongGrowth | undefined;
}

/** The curve tree of the main chain, as it is stored, and what begins there. `loadChainTree` makes it, as it loads the code of the curves. */
export class ChainTree implements TreeRoots {
  readonly #store: ChainReader;
  readonly #tools: TreeTools;
  readonly #stored: TreeRootReader;
  readonly outputs: TreeOutputs;

  /**
   * @param commitToAmount computes `G + amount·H`, 32 bytes
   * @param hasher the reference for a tree of which only roots are read: it makes nothing before it is used
   * @param onWrong told of blocks that the hasher has grown wrong, and that are mended
   */
  constructor(
    store: ChainReader,
    commitToAmount: (amount: bigint) => Uint8Array,
    hasher = REFERENCE_HASHER,
    onWrong?: OnWrongGrowth,
  ) {
    this.#store = store;
    this.#stored = new TreeRootReader(store.tree);
    this.outputs = new TreeOutputs(store);
    const grown = new GrownBlocks();
    const second = new SecondGrowth(hasher, onWrong);
    this.#tools = { hasher, schedule: { commitToAmount }, grown, second };
  }

  /** Returns a tree that is to grow: its arithmetic is the fastest of this machine, unless another is given. */
  static growing(
    store: ChainReader,
    commitToAmount: (amount: bigint) => Uint8Array,
    { hasher, onFallback, onWrong }: GrowingOptions = {},
  ): ChainTree {
    const used = hasher ?? createTreeHasher({ onFallback });
    return new ChainTree(store, commitToAmount, used, onWrong);
  }

  /**
   * Grows the newest block of the stored tree once more. Returns the block as it is right, where the stored tree has another root for it;
   * undefined where it has that, and where it has no block.
   */
  async newestRight(yielder: Yielder): Promise<GrownBlock | undefined> {
    const { hasher, second } = this.#tools;
    const height = this.blocks - 1;
    if (hasher === REFERENCE_HASHER || height < 0) return undefined;
    const addition = await this.viewAt(height).prepare(
      await this.outputsOf(height, yielder),
      yielder,
    );
    const growth = await second.compute(addition, yielder);
    if (isSameRoot(rootOf(growth.edge), this.#stored.rootOfHeader(height + 1))) return undefined;
    return { addition, growth };
  }

  /** Tells the operator of a block that was grown wrong and is mended, and remembers it as it is right. */
  mended(height: number, right: GrownBlock, isNextRight: boolean): void {
    const id = this.#store.blockMeta(height)?.id;
    if (id !== undefined) this.#tools.grown.add(id, right);
    this.#tools.second.report(height, isNextRight);
  }

  /** Number of blocks in the tree: those of the chain, but for the time in which the tree of an old chain is built. */
  get blocks(): number {
    return this.#stored.blocks;
  }

  /** Whether the stored tree has all blocks of the chain. While it lacks some, blocks are added without it, see `buildTree`. */
  get isWhole(): boolean {
    return this.blocks === this.#store.height;
  }

  /** Where the lowest layer of the stored tree ends, for threads that go on there. */
  get bottomEnd(): BottomEnd {
    const { tree } = this.#store;
    const indexes = tree.indexes();
    if (indexes === 0) return { leaves: 0, node: undefined };
    const { leaves, edge } = tree.state(indexes - 1);
    return { leaves, node: edge[0] };
  }

  /** Reads the outputs of a stored block and when they enter, in slices of the yielder. Throws StorageError `damaged` when it cannot be read. */
  async outputsOf(height: number, yielder: Yielder): Promise<readonly ScheduledOutput[]> {
    const block = storedScheduledBlock(this.#store, height);
    return inSlices(scheduleSteps(block, this.#tools.schedule), yielder);
  }

  treeAt({ height, prevId }: TreePlace): CurveTreeRoot | undefined {
    const below = this.#store.blockMeta(height - 1);
    if (height > this.blocks && below !== undefined) return undefined;
    if (below !== undefined && bytesEqual(below.id, prevId))
      return this.#stored.rootOfHeader(height);
    return this.#sideRootAt(height, prevId);
  }

  /** Returns the root for a block on a side chain whose newest block is remembered: nothing is computed here. */
  #sideRootAt(height: number, prevId: Uint8Array): CurveTreeRoot | undefined {
    const grown = this.#tools.grown.get(prevId);
    const below = this.#store.altBlock(prevId);
    if (grown === undefined || below?.height !== height - 1) return undefined;
    return rootOf(grown.growth.edge);
  }

  rootAtHeight(height: number): CurveTreeRoot | undefined {
    const isStored = Number.isInteger(height) && height > 0 && height < this.blocks;
    return isStored ? this.#stored.rootAt(height) : undefined;
  }

  /** Returns a new tree of the stored chain cut at `height`, to push blocks on. */
  viewAt(height: number): ViewTree {
    return new ViewTree(this.#store.tree, height, this.#tools);
  }

  /**
   * Returns what a commit changes in the stored tree: blocks from a height on are taken back, and others added. A block that does not fit the
   * tree rejects the commit with RangeError.
   */
  changeFrom(height: number, blocks: readonly GrownBlock[]): TreeChange {
    const store = this.#store;
    return function* (staged) {
      const tree = new CurveTree(staged);
      while (tree.blocks > height) {
        yield* tree.takeBackSteps(entriesOf(storedScheduledBlock(store, tree.blocks - 1)));
        yield;
      }
      for (const { addition, growth } of blocks) {
        yield* tree.addSteps(addition, growth);
        yield;
      }
    };
  }
}
