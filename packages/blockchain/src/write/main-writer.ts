import { monotonicMilliseconds, Yielder } from '@monero-node/base';
import { bytesEqual, type ParsedBlock } from '@monero-node/codec';
import type { BlockMeta } from '@monero-node/storage';
import { checkHeader, type PrepareOptions, type RootCheck } from '../verify/prepare-block.ts';
import { mainBundle } from '../query/serve.ts';
import type { AddBlockResult, AddSpanOptions, BlockBundle, CompleteBlock } from '../types.ts';
import type { PrecomputedHashes } from '../verify/precomputed-hashes.ts';
import { verifyBatch, type BatchOutcome, type BatchVerifiers } from '../verify/verify-batch.ts';
import { needsHash, powSource, type PowStatement } from '../verify/verify-pow.ts';
import type { ChainView } from '../view/chain-view.ts';
import { logAdded } from './log-added.ts';
import { storageConflict } from './storage-conflict.ts';
import {
  announce,
  prepareOptions,
  refuse,
  storeView,
  type WriterContext,
} from './writer-context.ts';

/**
 * Runs that are pushed on one view, which keeps their transactions in memory. Making a view takes milliseconds: it reads hundreds of
 * headers.
 */
const MAX_RUNS_ON_VIEW = 4;

/** What blocks are verified on. */
interface Ground {
  readonly view: ChainView;
  /** Runs of blocks that were pushed on it. */
  readonly runs: number;
}

/** Blocks that were verified as one batch. They are the last ones of the view, up to the first bad one. */
export interface VerifiedRun extends Ground, BatchOutcome {
  /** Blocks pushed on the view before these. */
  readonly first: number;
  readonly rules: PrepareOptions;
}

export interface AppendOptions extends Pick<AddSpanOptions, 'trust' | 'origin'> {
  /** The block whose proof of work, as {@link MainWriter.workOf} returns it, has been verified. */
  readonly provenWork?: ParsedBlock;
  /** When work on the blocks began, in milliseconds of the monotonic clock; now when absent. */
  readonly began?: number;
  /** What verifying these blocks on the chain as it is now has found, if that is known: all of them are good. */
  readonly verified?: VerifiedRun | undefined;
  /**
   * Called at most once, when all of the blocks have been handed to the store, before they can be seen there. The next change waits
   * for it. It must not reject.
   */
  readonly whileStored?: ((run: VerifiedRun) => Promise<void>) | undefined;
}

/** How blocks are verified; see PrepareOptions. */
interface Verifying extends Pick<AppendOptions, 'trust' | 'provenWork'> {
  readonly leavesDuplicates: boolean;
}

/** How blocks are appended in one attempt. */
interface Attempt extends AppendOptions, Verifying {
  readonly began: number;
}

/** Returns whether other ids than those of verified blocks are known to be right by now. */
export function isDenied(
  { good }: VerifiedRun,
  precomputed: Pick<PrecomputedHashes, 'idAt'>,
): boolean {
  return good.some(({ height, meta }) => {
    const id = precomputed.idAt(height);
    return id !== undefined && !bytesEqual(id, meta.id);
  });
}

/** Appends blocks to the main chain and pops them. */
export class MainWriter {
  readonly #context: WriterContext;

  constructor(context: WriterContext) {
    this.#context = context;
  }

  /** The newest block of the main chain. */
  get top(): BlockMeta | undefined {
    const { store } = this.#context;
    return store.blockMeta(store.height - 1);
  }

  /** Returns whether a block with this 32-byte parent id extends the main chain. */
  extends(prevId: Uint8Array): boolean {
    const { top } = this;
    return top !== undefined && bytesEqual(prevId, top.id);
  }

  /** Returns whether blocks were verified on the main chain as it is now. */
  isTop({ view, first }: VerifiedRun): boolean {
    const below = view.records[first - 1]?.meta;
    return below !== undefined && this.extends(below.id);
  }

  /**
   * Returns what the next blocks can be verified on: the main chain with a run on top, all of it good, that has been handed to the store
   * and cannot be seen there yet. What is at the top is read at once.
   */
  async groundAbove(run: VerifiedRun): Promise<Ground> {
    if (run.runs < MAX_RUNS_ON_VIEW) return run;
    const view = this.#atTop();
    for (const record of run.view.records.slice(run.first)) view.push(record);
    const yielder = new Yielder();
    for (const block of run.view.tree?.blocks.slice(run.first) ?? [])
      await view.tree?.add(block, yielder);
    return { view, runs: 1 };
  }

  /** Verifies consecutive blocks as one batch, with the engines of the chain or with others. */
  async verify(
    { view, runs }: Ground,
    bundles: readonly CompleteBlock[],
    options: Verifying,
    verifiers: BatchVerifiers = this.#context.verifiers,
  ): Promise<VerifiedRun> {
    const first = view.records.length;
    const rules = this.#rulesFor(view.height, bundles, options);
    const outcome = await verifyBatch(view, bundles, rules, verifiers);
    return { ...outcome, view, runs: runs + 1, first, rules };
  }

  /** What the next blocks can be verified on: the main chain as it is now. */
  get ground(): Ground {
    return { view: this.#atTop(), runs: 0 };
  }

  #atTop(): ChainView {
    const { tip, store } = this.#context;
    return tip.viewAt(store.height);
  }

  /** Verifies consecutive blocks that extend the top, as one batch, and stores the valid ones. */
  append(
    bundles: readonly CompleteBlock[],
    options: AppendOptions = {},
  ): Promise<AddBlockResult[]> {
    const began = options.began ?? monotonicMilliseconds();
    return this.#append(bundles, { ...options, began, leavesDuplicates: true });
  }

  /**
   * Appends blocks. What is left to the store is asked before only when a known block breaks a rule, so that the first of its
   * rules is named.
   */
  async #append(bundles: readonly CompleteBlock[], options: Attempt): Promise<AddBlockResult[]> {
    const context = this.#context;
    const { leavesDuplicates, provenWork } = options;
    const verified = options.verified ?? (await this.verify(this.ground, bundles, options));
    const { good, failure, rules } = verified;
    const asked = { ...options, leavesDuplicates: false, verified: undefined };
    const failed = failure && context.store.height + good.length;
    if (leavesDuplicates && failed !== undefined && rules.knownId?.(failed) !== undefined)
      return this.#append(bundles, asked);
    const proven = good.find(({ bundle }) => bundle.block === provenWork);
    if (proven && needsHash(context.verifiers, proven.difficulty)) context.verifiers.counters.pow++;
    if (good.length > 0) {
      try {
        await this.#store(verified, options);
      } catch (error) {
        const mayBeNamed = leavesDuplicates && good.some(({ known }) => known);
        if (!mayBeNamed || storageConflict(error) === undefined) throw error;
        // It may have been called, and is to be called only once.
        return this.#append(bundles, { ...asked, whileStored: undefined });
      }
    }
    const results: AddBlockResult[] = good.map(({ height, meta }) => ({
      status: 'added',
      height,
      id: meta.id,
    }));
    if (failure !== undefined)
      results.push(refuse(context, bundles[good.length]?.block.id, failure));
    return results;
  }

  /** Stores the good blocks and says so. */
  async #store(run: VerifiedRun, { began, origin, whileStored }: Attempt): Promise<void> {
    const context = this.#context;
    const { view, first, good, failure } = run;
    let meanwhile: Promise<void> | undefined;
    const onQueued = () => {
      if (failure === undefined) meanwhile = whileStored?.(run);
    };
    try {
      await storeView(context, view, { first, count: good.length, onQueued });
      announce(context, good);
      logAdded(context.logger, good, { began, origin });
    } finally {
      await meanwhile;
    }
  }

  /** Returns the options by which blocks are verified of which the first has the height `base`. */
  #rulesFor(
    base: number,
    bundles: readonly CompleteBlock[],
    { trust = false, provenWork, leavesDuplicates }: Verifying,
  ): PrepareOptions {
    const context = this.#context;
    const options = { ...prepareOptions(context), leavesDuplicates };
    if (!trust) return { ...options, provenWork };
    return { ...options, knownId: (at: number) => bundles[at - base]?.block.id };
  }

  /**
   * Checks the header of a block that extends the top, and returns the work that it must prove; undefined when any hash
   * will do. Throws ConsensusError when the header breaks a rule; its root counts unless it is left `unchecked`.
   */
  workOf(block: ParsedBlock, root: RootCheck = 'checked'): PowStatement | undefined {
    const context = this.#context;
    const view = context.tip.atTip;
    const { height } = view;
    const difficulty = checkHeader(view, block, context.now(), root);
    if (!needsHash(context.verifiers, difficulty)) return undefined;
    const source = powSource(view.network, block, height, (at) => view.headers.idAt(at));
    return { height, difficulty, source };
  }

  /** Pops up to `count` blocks, never genesis; returns the new height. */
  async pop(count: number): Promise<number> {
    const { store, tip, tree, emit } = this.#context;
    const height = Math.max(1, store.height - Math.max(0, count));
    if (height >= store.height) return store.height;
    const removed: BlockBundle[] = [];
    for (let h = height; h < store.height; h++) {
      const bundle = mainBundle(store, h);
      if (bundle !== undefined) removed.push(bundle);
    }
    const longTerm = tip.longTermAt(height);
    await store.commit({ popTo: height, tree: tree?.changeFrom(height, []) });
    tip.moved(height, [], longTerm);
    emit('popped', { height, removed });
    return height;
  }
}
