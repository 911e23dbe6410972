import { EventEmitter } from 'node:events';
import type { ParsedBlock } from '@monero-node/codec';
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
import type { BlockchainDependencies, BlockchainOptions } from './options.ts';
import { ChainUpdater } from './write/chain-updater.ts';
import { newCounters } from './verify/counters.ts';
import { InvalidBlocks } from './write/invalid-blocks.ts';
import { PrecomputedHashes, type OfferedIds } from './verify/precomputed-hashes.ts';
import { Mutex, systemSeconds } from '@monero-node/base';
import { difficultyAfter } from './view/next-difficulty.ts';
import { Pruner } from './write/pruner.ts';
import {
  bundleById,
  findCommonHeight,
  mainBundle,
  shortHistory,
  transactionBlob,
} from './query/serve.ts';
import { contradicted, heightToKeep } from './query/stored-chain-check.ts';
import { TipState } from './view/tip-state.ts';
import { TransactionVerifier } from './verify/transaction-verifier.ts';
import { VerifiedTransactions } from './verify/verified-transactions.ts';
import { powHashOf, powSource } from './verify/verify-pow.ts';
import type {
  AddBlockOptions,
  AddBlockResult,
  BlockBundle,
  ChainEvents,
  IncomingBlock,
  SpanResult,
  VerificationCounters,
} from './types.ts';

/** Blocks taken off at once, so that the event loop does not stall. */
const POP_STEP = 200;

/**
 * The chain: verifies and stores blocks, keeps alternative chains, reorganises to the one with
 * the most cumulative difficulty, and answers questions about the top.
 *
 * Changes are made one at a time, in the order of the calls; reads are synchronous.
 */
export class Blockchain extends EventEmitter<ChainEvents> {
  readonly network: Network;
  readonly store: ChainReader;
  /** Judges transactions by the rules of the next block. */
  readonly transactionVerifier: TransactionVerifier;
  readonly #deps: BlockchainDependencies;
  readonly #counters: VerificationCounters = newCounters();
  readonly #invalid = new InvalidBlocks();
  readonly #mutex = new Mutex();
  readonly #precomputed: PrecomputedHashes;
  /** Those of the network and, ascending, the ones added later. */
  readonly #checkpoints: Checkpoint[];
  readonly #tip: TipState;
  readonly #updater: ChainUpdater;
  readonly #pruner: Pruner;
  #stopping = false;

  /** Use `openBlockchain`: the store must hold at least the network's genesis block. */
  constructor(options: BlockchainOptions, dependencies: BlockchainDependencies) {
    super();
    const { store, backend, verifier, logger } = dependencies;
    const now = options.now ?? systemSeconds;
    const commitToAmount = (amount: bigint) => backend.commitToAmount(amount);
    const verified = new VerifiedTransactions();
    this.#checkpoints = [...options.network.checkpoints];
    this.network = { ...options.network, checkpoints: this.#checkpoints };
    this.store = store;
    this.#deps = dependencies;
    this.#pruner = new Pruner(store);
    this.#precomputed = new PrecomputedHashes(options.blockGroups ?? []);
    this.#tip = new TipState({ network: this.network, store, now, commitToAmount });
    this.transactionVerifier = new TransactionVerifier({ tip: this.#tip, verifier, verified });
    this.#updater = new ChainUpdater({
      network: this.network,
      now,
      commitToAmount,
      store,
      tip: this.#tip,
      invalid: this.#invalid,
      verifiers: { ...dependencies, counters: this.#counters },
      verified,
      precomputed: this.#precomputed,
      logger,
      emit: this.emit.bind(this),
    });
  }

  /** Refuses further changes and waits for the one under way. The store stays open. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#mutex.idle();
  }

  /** Checks done for blocks since the start of the process. */
  get counters(): Readonly<VerificationCounters> {
    return this.#counters;
  }

  /** Number of blocks. */
  get height(): number {
    return this.store.height;
  }

  get top(): BlockMeta {
    const top = this.store.blockMeta(this.store.height - 1);
    if (top === undefined) throw new Error('the chain is empty');
    return top;
  }

  get topId(): Uint8Array {
    return this.top.id;
  }

  /** Whether blocks are being verified or stored. */
  get busy(): boolean {
    return this.#mutex.busy;
  }

  /**
   * Adds blocks, normally consecutive ones. Everything costly of those that extend the main chain
   * is verified as one batch, and what is good is stored in one transaction.
   *
   * @param options `trust`: take proofs of work and all proofs of transactions that extend the main
   *   chain for granted. Only for blocks from a source that is as good as one's own database.
   */
  addSpan(
    blocks: readonly IncomingBlock[],
    options: { readonly trust?: boolean } = {},
  ): Promise<SpanResult> {
    const trust = options.trust ?? false;
    return this.#change(async (updater) => ({ results: await updater.addSpan(blocks, trust) }));
  }

  /**
   * Compares ids that are offered for download with the groups of blocks known to be right. Blocks of
   * groups that match need not be verified when they come.
   *
   * @returns how many of the ids, from the first, may be used.
   */
  approveIds(offer: OfferedIds): number {
    return this.#precomputed.approve(offer, this.store);
  }

  /**
   * Weight of the block known for a height (see {@link approveIds}); undefined while it is not known. A block
   * whose weight is known may be added with pruned transactions, as far as it is on a fork from which on
   * transactions can be pruned.
   */
  knownWeight(height: number): number | undefined {
    return this.#precomputed.weightAt(height);
  }

  /** Adds one block; unlike in a span, its transactions may be incomplete ('missing-txs'). */
  addBlock(block: IncomingBlock, options: AddBlockOptions = {}): Promise<AddBlockResult> {
    return this.#change((updater) => updater.addBlock(block, options));
  }

  /**
   * Takes off up to `count` blocks, never genesis.
   *
   * @returns the new height.
   */
  popBlocks(count: number): Promise<number> {
    return this.#change((updater) => updater.popBlocks(count));
  }

  /**
   * Adds checkpoints to those of the network, and takes off the blocks of a chain that contradicts them.
   * A height that has a checkpoint already keeps it.
   *
   * @returns the new height.
   */
  async addCheckpoints(points: readonly Checkpoint[]): Promise<number> {
    const taken = new Set(this.#checkpoints.map(({ height }) => height));
    this.#checkpoints.push(...points.filter(({ height }) => !taken.has(height)));
    this.#checkpoints.sort((a, b) => a.height - b.height);
    return this.#dropContradicting();
  }

  /** The checkpoints, out of `points`, that this chain contradicts. */
  contradicted(points: readonly Checkpoint[]): Checkpoint[] {
    return contradicted(this.store, points);
  }

  /** 384 to 391 for a chain without the prunable parts of most old transactions, else 0. */
  get pruningSeed(): number {
    return this.#pruner.seed;
  }

  /**
   * Prunes the chain, for good: see {@link Pruner}. What grows old later goes by {@link updatePruning}.
   */
  async prune(): Promise<void> {
    await this.#pruner.enable();
    await this.updatePruning();
  }

  /** Prunes what has grown old since the last time, if the chain is pruned at all. */
  async updatePruning(): Promise<void> {
    // In steps, so that blocks that come meanwhile need not wait for all of it.
    while (!this.#stopping && (await this.#mutex.run(() => this.#pruner.step())));
  }

  /** Whether everything that a chain with this pruning seed holds is there. */
  async checkPruning(): Promise<boolean> {
    return (await this.#pruner.findMissing()) === undefined;
  }

  /** Where a block is known from. */
  has(id: Uint8Array): 'main' | 'alt' | 'invalid' | undefined {
    if (this.store.heightOf(id) !== undefined) return 'main';
    if (this.store.altBlock(id) !== undefined) return 'alt';
    return this.#invalid.get(id) === undefined ? undefined : 'invalid';
  }

  /** Forgets which blocks were invalid. */
  forgetInvalidBlocks(): void {
    this.#invalid.clear();
  }

  /** Ids for a chain request, newest first, genesis last. */
  shortHistory(): Uint8Array[] {
    return shortHistory(this.store);
  }

  /** Height of the newest main-chain block of a peer's history; undefined: not our network. */
  findCommonHeight(ids: readonly Uint8Array[]): number | undefined {
    return findCommonHeight(this.store, ids);
  }

  blockBundle(height: number): BlockBundle | undefined {
    return mainBundle(this.store, height);
  }

  blockBundleById(id: Uint8Array): BlockBundle | undefined {
    return bundleById(this.store, id);
  }

  /** Full blob of a main-chain transaction. */
  transactionBlob(id: Uint8Array): Uint8Array | undefined {
    return transactionBlob(this.store, id);
  }

  /** Difficulty of the next block. */
  nextDifficulty(): bigint {
    return difficultyAfter(this.#tip.atTip.headers, this.network);
  }

  /** Fork version of the next block. */
  nextVersion(): number {
    return versionAtHeight(this.network, this.height);
  }

  /** Weight medians and limit for the next block. */
  weightState(): WeightState {
    return this.#tip.atTip.weightState;
  }

  /** The clock that time locks of the next block are read from, Unix seconds. */
  adjustedTime(): number {
    return this.#tip.atTip.adjustedTime();
  }

  /** Difficulty of the stored block at `height`. */
  difficultyOf(height: number): bigint {
    const own = this.store.blockMeta(height)?.cumulativeDifficulty ?? 0n;
    const below = height > 0 ? this.store.blockMeta(height - 1)?.cumulativeDifficulty : 0n;
    return own - (below ?? 0n);
  }

  /** Reward of the next block without fees while its weight has no penalty, atomic units. */
  baseReward(): bigint {
    return blockReward({
      medianWeight: this.weightState().rewardMedian,
      blockWeight: 1,
      generatedCoins: this.top.generatedCoins,
      rules: rulesFor(this.nextVersion()),
    });
  }

  /** Fees per byte for a wallet. @throws RangeError when graceBlocks is above 100. */
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

  /** Proof-of-work hash of a block at `height` of the main chain (or of one that would be). */
  async powHash(parsed: ParsedBlock, height: number): Promise<Uint8Array> {
    const source = powSource(parsed, height, (at) => this.store.blockMeta(at)?.id);
    return powHashOf(this.#deps.pow, source);
  }

  /** Takes off, in several steps, what may not stay; returns the height. */
  async #dropContradicting(): Promise<number> {
    const height = heightToKeep(this.store, this.network);
    if (height < this.height) {
      this.#deps.logger.error(
        `the stored chain contradicts a checkpoint or the fork table: going back from ${this.height} to ${height} blocks`,
      );
    }
    while (this.height > height) await this.popBlocks(Math.min(POP_STEP, this.height - height));
    return this.height;
  }

  #change<T>(task: (updater: ChainUpdater) => Promise<T>): Promise<T> {
    return this.#mutex.run(async () => {
      if (this.#stopping) throw new Error('the blockchain is stopping');
      return task(this.#updater);
    });
  }
}
