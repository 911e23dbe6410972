import { Mutex, systemSeconds } from '@monero-node/base';
import { toHex, type ParsedBlock } from '@monero-node/codec';
import { ConsensusError, type Checkpoint } from '@monero-node/consensus';
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
  WorkClient,
} from './types.ts';
import { newCounters } from './verify/counters.ts';
import { PrecomputedHashes, type OfferedIds } from './verify/precomputed-hashes.ts';
import { TransactionVerifier } from './verify/transaction-verifier.ts';
import { VerifiedTransactions } from './verify/verified-transactions.ts';
import { powHashOf, powSource, type PowStatement } from './verify/verify-pow.ts';
import { WorkAhead } from './verify/work-ahead.ts';
import { TipState } from './view/tip-state.ts';
import type { BlockAhead } from './write/block-ahead.ts';
import { ChainUpdater, DEAD_ENDS } from './write/chain-updater.ts';
import { UNPROVEN, type Unproven } from './write/writer-context.ts';
import { InvalidBlocks } from './write/invalid-blocks.ts';
import { Pruner } from './write/pruner.ts';
import { type BuildTreeOptions, TreeBuilder } from './write/tree-builder.ts';

/** Instead of a client: no work is to be verified ahead. */
const NO_WORK = Symbol('no work ahead');

/** Blocks popped at a time, so that the event loop does not stall. */
const POP_STEP = 200;

/**
 * The chain: verifies and stores blocks, keeps alternative chains, reorganizes to the one with
 * the most cumulative difficulty, and answers questions about the top.
 *
 * Changes are made one at a time, in the order of the calls; reads are synchronous.
 */
export class Blockchain extends ChainQueries {
  /** Verifies transactions outside blocks, by the rules of the next block. */
  readonly transactionVerifier: TransactionVerifier;
  /** Computes keys of outputs, on the event loop. */
  readonly backend: ResolvedDependencies['backend'];
  readonly #deps: ResolvedDependencies;
  readonly #counters: VerificationCounters = newCounters();
  readonly #invalid = new InvalidBlocks();
  readonly #mutex = new Mutex();
  readonly #precomputed: PrecomputedHashes;
  /** Those of the network and those added later, in order of height. */
  readonly #checkpoints: Checkpoint[];
  readonly #updater: ChainUpdater;
  readonly #pruner: Pruner;
  readonly #treeBuilder: TreeBuilder;
  readonly #work: WorkAhead;
  /** Single blocks that are being added, by hex ids. */
  readonly #adding = new Map<string, Promise<unknown>>();
  /** Spans that are being added. */
  #spans = 0;
  #stopping = false;
  /** A block that is verified before its turn; never rejects. */
  #guess: Promise<BlockAhead | undefined> | undefined;

  /** Use `openBlockchain`: the store must hold at least the network's genesis block. */
  constructor(options: BlockchainOptions, dependencies: ResolvedDependencies) {
    const { store, backend, verifier, logger } = dependencies;
    const now = options.now ?? systemSeconds;
    const commitToAmount = (amount: bigint) => backend.commitToAmount(amount);
    const checkpoints = [...options.network.checkpoints];
    const network = { ...options.network, checkpoints };
    const { tree, treeRoots } = dependencies;
    const tip = new TipState({ network, store, now, commitToAmount, tree, treeRoots });
    super({ network, store, tip, treeRoots });
    this.backend = backend;
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
      tree,
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
    this.#treeBuilder = new TreeBuilder({
      ...{ store, tree, logger },
      whileStill: (commit) => this.#mutex.run(commit),
      dropAhead: () => this.#updater.dropAhead(),
      popTo: (height) => this.#popTo(height),
    });
    this.#work = new WorkAhead({
      pow: dependencies.pow,
      wantedBy: (block) => this.#updater.workOf(block),
    });
  }

  /** Refuses further changes and waits for the current one. The store stays open. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#guess;
    await this.#treeBuilder.stop();
    await this.#mutex.idle();
  }

  /** The same as {@link Blockchain.stop}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Checks done for blocks since the start of the process. */
  get counters(): Readonly<VerificationCounters> {
    return this.#counters;
  }

  /** Whether blocks are being verified or stored. */
  get busy(): boolean {
    return this.#mutex.busy || this.#spans > 0;
  }

  /**
   * Adds blocks, normally consecutive ones. Proofs of work and signatures of those that extend the main chain
   * are verified as one batch, and the good blocks are stored in one transaction.
   *
   * Throws Error after `stop()`, and StorageError when the store cannot commit.
   */
  async addSpan(
    blocks: readonly IncomingBlock[],
    options: AddSpanOptions = {},
  ): Promise<SpanResult> {
    this.#spans++;
    try {
      return { results: await this.#addRuns(blocks, options) };
    } finally {
      this.#spans--;
    }
  }

  /** Adds blocks in order; stops after the first that is an orphan, incomplete or invalid. */
  async #addRuns(
    blocks: readonly IncomingBlock[],
    options: AddSpanOptions,
  ): Promise<AddBlockResult[]> {
    const results: AddBlockResult[] = [];
    const goesOn = () => !this.#stopping;
    while (results.length < blocks.length) {
      const rest = blocks.slice(results.length);
      const [first] = rest as [IncomingBlock];
      const isReady = this.#updater.needsNoWorkAhead(first.block);
      const step = await this.#proven(first.block, isReady ? NO_WORK : options.client, (proven) =>
        this.#change((updater) => updater.addRun(rest, { ...options, goesOn }, proven)),
      );
      const added = Array.isArray(step) ? step : [step];
      results.push(...added);
      const last = added.at(-1);
      if (last === undefined || DEAD_ENDS.has(last.status)) break;
    }
    return results;
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
   * Adds one block; unlike in a span, its transactions may be incomplete ('missing-txs'). Its proof of work is verified
   * before other changes of the chain have to wait for it.
   *
   * Throws WorkDeclinedError when the client has left or too much work waits; Error after `stop()`; StorageError when the
   * store cannot commit.
   */
  async addBlock(block: IncomingBlock, options: AddBlockOptions = {}): Promise<AddBlockResult> {
    const key = toHex(block.block.id);
    // Its parent may have come just before it, and wait for its own turn.
    const parent = this.#adding.get(toHex(block.block.block.prevId));
    const adding = this.#addAfter(parent, block, options);
    if (this.#adding.has(key)) return adding;
    this.#adding.set(key, adding);
    try {
      return await adding;
    } finally {
      this.#adding.delete(key);
    }
  }

  async #addAfter(
    parent: Promise<unknown> | undefined,
    block: IncomingBlock,
    options: AddBlockOptions,
  ): Promise<AddBlockResult> {
    await parent?.catch(() => undefined);
    const ahead = this.#verifyAhead(block, options);
    return this.#proven(block.block, options.client, (proven) =>
      this.#change(async (updater) => updater.addBlock(block, options, proven, await ahead)),
    );
  }

  /** Begins to verify a block of the owner beside its proof of work, unless the chain is changing or another one is looked at. */
  async #verifyAhead(
    block: IncomingBlock,
    options: AddBlockOptions,
  ): Promise<BlockAhead | undefined> {
    const { client, decodeSent } = options;
    const isOwn = client === undefined || client.isOwner === true;
    const isFree = this.#guess === undefined && !this.busy && !this.#stopping;
    if (!isOwn || decodeSent !== undefined || !isFree) return undefined;
    this.#guess = this.#updater.verifyAhead(block, options);
    try {
      return await this.#guess;
    } finally {
      this.#guess = undefined;
    }
  }

  /**
   * Runs work with a hash that a client has asked for, such as with a seed of its choice, when it is its turn among strangers'
   * work that does not concern the top. Throws WorkDeclinedError.
   */
  hashFor<T>(client: WorkClient, task: () => Promise<T>): Promise<T> {
    return this.#work.run(client, task);
  }

  /**
   * Verifies the proof of work of a block and then has it added, again when the chain has changed meanwhile such that the
   * block needs another proof. Returns the result for the block when its work is bad.
   */
  async #proven<T>(
    block: ParsedBlock,
    client: WorkClient | typeof NO_WORK | undefined,
    add: (proven: PowStatement | undefined) => Promise<T | Unproven>,
  ): Promise<T | AddBlockResult> {
    if (this.#stopping) throw new Error('the blockchain is stopping');
    let work = client;
    for (;;) {
      let proven: PowStatement | undefined;
      try {
        if (work !== NO_WORK) proven = await this.#work.prove(block, work);
      } catch (error) {
        if (!(error instanceof ConsensusError)) throw error;
        return this.#updater.known(block) ?? this.#updater.refuse(block, error);
      }
      const result = await add(proven);
      if (result !== UNPROVEN) return result;
      if (work === NO_WORK) work = undefined;
    }
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
   * Prunes the chain permanently (docs/operating/pruning.md). Call {@link updatePruning} as the chain grows.
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

  /** Blocks that the curve tree has: those of the chain, but while it is built. Undefined where the chain keeps none. */
  get treeBlocks(): number | undefined {
    return this.#deps.tree?.blocks;
  }

  /**
   * Builds the curve tree of a chain that keeps one and lacks blocks of it, beside changes of the chain: a block waits for one commit of some
   * thousand outputs at most. Does nothing otherwise. Resolves early when the chain is stopped; the next build goes on.
   *
   * Throws StorageError when the store cannot be read or written, and the reason of the signal.
   */
  buildTree(options?: BuildTreeOptions): Promise<void> {
    return this.#treeBuilder.build(options);
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
    this.#work.forget();
  }

  /**
   * Computes the 32-byte proof of work of a block at `height` of the main chain, or of one that would be: its hash, or the commitment
   * to it where that is compared with the difficulty.
   */
  async powHash(parsed: ParsedBlock, height: number): Promise<Uint8Array> {
    const source = powSource(this.network, parsed, height, (at) => this.store.blockMeta(at)?.id);
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
    await this.#popTo(height);
    return this.height;
  }

  async #popTo(height: number): Promise<void> {
    while (this.height > height) await this.popBlocks(Math.min(POP_STEP, this.height - height));
  }

  #change<T>(task: (updater: ChainUpdater) => Promise<T>): Promise<T> {
    return this.#mutex.run(async () => {
      if (this.#stopping) throw new Error('the blockchain is stopping');
      return task(this.#updater);
    });
  }
}
