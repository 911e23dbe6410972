import { Mutex, systemSeconds } from '@monero-node/base';
import type { ParsedBlock } from '@monero-node/codec';
import type { Checkpoint } from '@monero-node/consensus';
import type { BlockchainOptions, ResolvedDependencies } from './options.ts';
import { ChainQueries } from './query/chain-queries.ts';
import { heightToKeep } from './query/stored-chain-check.ts';
import type {
  AddBlockOptions,
  AddBlockResult,
  AddSpanOptions,
  IncomingBlock,
  SpanResult,
  VerificationCounters,
} from './types.ts';
import { newCounters } from './verify/counters.ts';
import { PrecomputedHashes, type OfferedIds } from './verify/precomputed-hashes.ts';
import { TransactionVerifier } from './verify/transaction-verifier.ts';
import { VerifiedTransactions } from './verify/verified-transactions.ts';
import { powHashOf, powSource } from './verify/verify-pow.ts';
import { TipState } from './view/tip-state.ts';
import { ChainUpdater } from './write/chain-updater.ts';
import { InvalidBlocks } from './write/invalid-blocks.ts';
import { Pruner } from './write/pruner.ts';

/** Blocks popped at a time, so that the event loop does not stall. */
const POP_STEP = 200;

/**
 * The chain: verifies and stores blocks, keeps alternative chains, reorganises to the one with
 * the most cumulative difficulty, and answers questions about the top.
 *
 * Changes are made one at a time, in the order of the calls; reads are synchronous.
 */
export class Blockchain extends ChainQueries {
  /** Verifies transactions outside blocks, by the rules of the next block. */
  readonly transactionVerifier: TransactionVerifier;
  readonly #deps: ResolvedDependencies;
  readonly #counters: VerificationCounters = newCounters();
  readonly #invalid = new InvalidBlocks();
  readonly #mutex = new Mutex();
  readonly #precomputed: PrecomputedHashes;
  /** Those of the network and those added later, in order of height. */
  readonly #checkpoints: Checkpoint[];
  readonly #updater: ChainUpdater;
  readonly #pruner: Pruner;
  #stopping = false;

  /** Use `openBlockchain`: the store must hold at least the network's genesis block. */
  constructor(options: BlockchainOptions, dependencies: ResolvedDependencies) {
    const { store, backend, verifier, logger } = dependencies;
    const now = options.now ?? systemSeconds;
    const commitToAmount = (amount: bigint) => backend.commitToAmount(amount);
    const checkpoints = [...options.network.checkpoints];
    const network = { ...options.network, checkpoints };
    const tip = new TipState({ network, store, now, commitToAmount });
    super({ network, store, tip });
    const verified = new VerifiedTransactions();
    this.#checkpoints = checkpoints;
    this.#deps = dependencies;
    this.#pruner = new Pruner(store);
    this.#precomputed = new PrecomputedHashes(options.blockGroups ?? []);
    this.transactionVerifier = new TransactionVerifier({ tip, verifier, verified });
    this.#updater = new ChainUpdater({
      network,
      now,
      commitToAmount,
      store,
      tip,
      invalid: this.#invalid,
      verifiers: {
        ...dependencies,
        skipEasiestWork: options.skipEasiestWork,
        counters: this.#counters,
      },
      verified,
      precomputed: this.#precomputed,
      logger,
      emit: this.emit.bind(this),
    });
  }

  /** Refuses further changes and waits for the current one. The store stays open. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#mutex.idle();
  }

  /** Checks done for blocks since the start of the process. */
  get counters(): Readonly<VerificationCounters> {
    return this.#counters;
  }

  /** Whether blocks are being verified or stored. */
  get busy(): boolean {
    return this.#mutex.busy;
  }

  /**
   * Adds blocks, normally consecutive ones. Proofs of work and signatures of those that extend the main chain
   * are verified as one batch, and the good blocks are stored in one transaction.
   *
   * Throws Error after `stop()`, and StorageError when the store cannot commit.
   */
  addSpan(blocks: readonly IncomingBlock[], options: AddSpanOptions = {}): Promise<SpanResult> {
    return this.#change(async (updater) => ({ results: await updater.addSpan(blocks, options) }));
  }

  /**
   * Compares ids that are offered for download with the groups of blocks known to be right. Blocks of
   * groups that match need not be verified when they arrive.
   *
   * @returns how many of the ids, from the first, may be used.
   */
  approveIds(offer: OfferedIds): number {
    return this.#precomputed.approve(offer, this.store);
  }

  /**
   * Returns the weight of the block approved for a height (see {@link approveIds}), or undefined while none is.
   * A block with an approved weight may be added with pruned transactions, if its fork version allows pruning.
   */
  knownWeight(height: number): number | undefined {
    return this.#precomputed.weightAt(height);
  }

  /**
   * Adds one block; unlike in a span, its transactions may be incomplete ('missing-txs').
   *
   * Throws Error after `stop()`, and StorageError when the store cannot commit.
   */
  addBlock(block: IncomingBlock, options: AddBlockOptions = {}): Promise<AddBlockResult> {
    return this.#change((updater) => updater.addBlock(block, options));
  }

  /**
   * Pops up to `count` blocks, never genesis.
   *
   * @returns the new height.
   */
  popBlocks(count: number): Promise<number> {
    return this.#change((updater) => updater.popBlocks(count));
  }

  /**
   * Adds checkpoints to those of the network, and pops the blocks that contradict them.
   * A height that already has a checkpoint keeps it.
   *
   * @returns the new height.
   */
  async addCheckpoints(points: readonly Checkpoint[]): Promise<number> {
    const taken = new Set(this.#checkpoints.map(({ height }) => height));
    this.#checkpoints.push(...points.filter(({ height }) => !taken.has(height)));
    this.#checkpoints.sort((a, b) => a.height - b.height);
    return this.#dropContradicting();
  }

  /** 384 to 391 for a chain without the prunable parts of most old transactions, else 0. */
  get pruningSeed(): number {
    return this.#pruner.seed;
  }

  /**
   * Prunes the chain permanently (docs/pruning.md). Call {@link updatePruning} as the chain grows.
   *
   * @param seed 384 to 391: names the blocks to keep whole; by default a random choice. A chain keeps its first one.
   */
  async prune(seed?: number): Promise<void> {
    await this.#pruner.enable(seed);
    await this.updatePruning();
  }

  /** Prunes the blocks that have become old since the last call; does nothing on a chain that is not pruned. */
  async updatePruning(): Promise<void> {
    // In steps, so that blocks that arrive meanwhile need not wait for all of them.
    while (!this.#stopping && (await this.#mutex.run(() => this.#pruner.step())));
  }

  /** Returns whether the store holds everything that a chain with this pruning seed must hold. */
  async checkPruning(): Promise<boolean> {
    return (await this.#pruner.findMissing()) === undefined;
  }

  /** Returns where a block, by its 32-byte id, is known from; undefined when it is unknown. */
  has(id: Uint8Array): 'main' | 'alt' | 'invalid' | undefined {
    if (this.store.heightOf(id) !== undefined) return 'main';
    if (this.store.altBlock(id) !== undefined) return 'alt';
    return this.#invalid.get(id) === undefined ? undefined : 'invalid';
  }

  /** Forgets which blocks were invalid. */
  forgetInvalidBlocks(): void {
    this.#invalid.clear();
  }

  /** Computes the 32-byte proof-of-work hash of a block at `height` of the main chain, or of one that would be. */
  async powHash(parsed: ParsedBlock, height: number): Promise<Uint8Array> {
    const source = powSource(parsed, height, (at) => this.store.blockMeta(at)?.id);
    return powHashOf(this.#deps.pow, source);
  }

  /** Pops blocks that contradict a checkpoint or the fork table, in steps; returns the height. */
  async #dropContradicting(): Promise<number> {
    const height = heightToKeep(this.store, this.network);
    if (height < this.height) {
      this.#deps.logger.error(
        `the stored chain contradicts a checkpoint or the fork table: popping blocks from height ${this.height} down to ${height}`,
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
