import { EventEmitter } from 'node:events';
import {
  blockReward,
  feeEstimate,
  rulesFor,
  versionAtHeight,
  type Checkpoint,
  type FeeEstimate,
  type Network,
  type WeightState,
} from '@monero-node/consensus';
import type { BlockMeta, ChainReader } from '@monero-node/storage';
import type { BlockBundle, ChainEvents } from '../types.ts';
import { NO_TREE, type TreeRoots } from '../view/tree-roots.ts';
import type { ChainView } from '../view/chain-view.ts';
import { difficultyAfter } from '../view/next-difficulty.ts';
import type { TipState } from '../view/tip-state.ts';
import {
  bundleById,
  findCommonHeight,
  mainBundle,
  shortHistory,
  transactionBlob,
} from './serve.ts';
import { contradicted } from './stored-chain-check.ts';

export interface ChainQueriesDependencies {
  readonly network: Network;
  readonly store: ChainReader;
  readonly tip: TipState;
  /** {@link NO_TREE} when absent. */
  readonly treeRoots?: TreeRoots;
}

/** The read side of the chain: its blocks, its top, the rules of the next block, and its events. Reads are synchronous. */
export class ChainQueries extends EventEmitter<ChainEvents> {
  readonly network: Network;
  readonly store: ChainReader;
  /** Which curve tree new blocks commit to from version 17 on. */
  readonly treeRoots: TreeRoots;
  readonly #tip: TipState;
  /** What `nextDifficulty` returned last, and the view it was computed on: views are replaced when the chain changes. */
  #difficultyOf: { readonly view: ChainView; readonly difficulty: bigint } | undefined;

  constructor({ network, store, tip, treeRoots = NO_TREE }: ChainQueriesDependencies) {
    super();
    this.network = network;
    this.store = store;
    this.treeRoots = treeRoots;
    this.#tip = tip;
  }

  /** Number of blocks. */
  get height(): number {
    return this.store.height;
  }

  /** The newest block. Throws Error when the chain is empty. */
  get top(): BlockMeta {
    const top = this.store.blockMeta(this.store.height - 1);
    if (top === undefined) throw new Error('the chain is empty');
    return top;
  }

  /** Id of the newest block, 32 bytes. Throws Error when the chain is empty. */
  get topId(): Uint8Array {
    return this.top.id;
  }

  /** Returns the checkpoints among `points` that this chain contradicts. */
  contradicted(points: readonly Checkpoint[]): Checkpoint[] {
    return contradicted(this.store, points);
  }

  /** Returns 32-byte ids for a chain request, newest first, genesis last. */
  shortHistory(): Uint8Array[] {
    return shortHistory(this.store);
  }

  /**
   * Returns the height of the newest main-chain block in a peer's history; undefined when the history does
   * not end in our genesis block.
   *
   * @param ids 32 bytes each, newest first
   */
  findCommonHeight(ids: readonly Uint8Array[]): number | undefined {
    return findCommonHeight(this.store, ids);
  }

  /** Returns a main-chain block with its full transactions; undefined when it is unknown or pruned. */
  blockBundle(height: number): BlockBundle | undefined {
    return mainBundle(this.store, height);
  }

  /** Returns the main-chain or alternative block with this 32-byte id; undefined when it is unknown or pruned. */
  blockBundleById(id: Uint8Array): BlockBundle | undefined {
    return bundleById(this.store, id);
  }

  /** Returns the full blob of a main-chain transaction; undefined when it is unknown or pruned. */
  transactionBlob(id: Uint8Array): Uint8Array | undefined {
    return transactionBlob(this.store, id);
  }

  /** Returns the difficulty of the next block. Throws ConsensusError 'difficulty-overflow'. */
  nextDifficulty(): bigint {
    const { atTip } = this.#tip;
    if (this.#difficultyOf?.view !== atTip) {
      const difficulty = difficultyAfter(atTip.headers, this.network);
      this.#difficultyOf = { view: atTip, difficulty };
    }
    return this.#difficultyOf.difficulty;
  }

  /** Returns the fork version of the next block. */
  nextVersion(): number {
    return versionAtHeight(this.network, this.height);
  }

  /** Returns the weight medians and the weight limit for the next block. */
  weightState(): WeightState {
    return this.#tip.atTip.weightState;
  }

  /** Returns the time, Unix seconds, that time locks are compared with in the next block. */
  adjustedTime(): number {
    return this.#tip.atTip.adjustedTime();
  }

  /** Returns the difficulty of the stored block at `height`. */
  difficultyOf(height: number): bigint {
    const own = this.store.blockMeta(height)?.cumulativeDifficulty ?? 0n;
    const below = height > 0 ? this.store.blockMeta(height - 1)?.cumulativeDifficulty : 0n;
    return own - (below ?? 0n);
  }

  /** Returns the reward, in atomic units, of the next block without fees and without a weight penalty. */
  baseReward(): bigint {
    return blockReward({
      medianWeight: this.weightState().rewardMedian,
      blockWeight: 1,
      generatedCoins: this.top.generatedCoins,
      rules: rulesFor(this.nextVersion()),
    });
  }

  /** Returns the fees, in atomic units per byte, that a wallet should pay. Throws RangeError for grace blocks as `feeEstimate` of consensus does. */
  feeEstimate(graceBlocks: number): FeeEstimate {
    const { recentWeights, longTerm, weightState } = this.#tip.atTip;
    return feeEstimate({
      rules: rulesFor(this.nextVersion()),
      last100Weights: recentWeights,
      longTermWeights: longTerm,
      generatedCoins: this.top.generatedCoins,
      effectiveMedian: weightState.effectiveMedian,
      graceBlocks,
    });
  }
}
