import { monotonicMilliseconds } from '@monero-node/base';
import { bytesEqual, type ParsedBlock } from '@monero-node/codec';
import { checkHeader, type PrepareOptions } from '../verify/prepare-block.ts';
import { mainBundle } from '../query/serve.ts';
import type { AddBlockResult, AddSpanOptions, BlockBundle, CompleteBlock } from '../types.ts';
import { verifyBatch } from '../verify/verify-batch.ts';
import { needsHash, powSource, type PowStatement } from '../verify/verify-pow.ts';
import { logAdded } from './log-added.ts';
import { storageConflict } from './storage-conflict.ts';
import {
  announce,
  prepareOptions,
  refuse,
  storeView,
  type WriterContext,
} from './writer-context.ts';

export interface AppendOptions extends AddSpanOptions {
  /** The block whose proof of work, as {@link MainWriter.workOf} returns it, has been verified. */
  readonly provenWork?: ParsedBlock;
  /** When work on the blocks began, in milliseconds of the monotonic clock; now when absent. */
  readonly began?: number;
}

/** How blocks are appended in one attempt; see PrepareOptions. */
interface Attempt extends AppendOptions {
  readonly began: number;
  readonly leavesDuplicates: boolean;
}

/** Appends blocks to the main chain and pops them. */
export class MainWriter {
  readonly #context: WriterContext;

  constructor(context: WriterContext) {
    this.#context = context;
  }

  /** Returns whether a block with this 32-byte parent id extends the main chain. */
  extends(prevId: Uint8Array): boolean {
    const { store } = this.#context;
    const top = store.blockMeta(store.height - 1);
    return top !== undefined && bytesEqual(prevId, top.id);
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
    const { began, leavesDuplicates, origin, provenWork } = options;
    const view = context.tip.viewAt(context.store.height);
    const rules = this.#rulesFor(bundles, options);
    const { good, failure } = await verifyBatch(view, bundles, rules, context.verifiers);
    const asked = { ...options, leavesDuplicates: false };
    const failed = failure && context.store.height + good.length;
    if (leavesDuplicates && failed !== undefined && rules.knownId?.(failed) !== undefined)
      return this.#append(bundles, asked);
    const proven = good.find(({ bundle }) => bundle.block === provenWork);
    if (proven && needsHash(context.verifiers, proven.difficulty)) context.verifiers.counters.pow++;
    if (good.length > 0) {
      try {
        await storeView(context, view, good.length);
      } catch (error) {
        const mayBeNamed = leavesDuplicates && good.some(({ known }) => known);
        if (mayBeNamed && storageConflict(error) !== undefined) return this.#append(bundles, asked);
        throw error;
      }
      announce(context, good);
      logAdded(context.logger, good, { began, origin });
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

  /** Returns the options by which blocks are verified that extend the top. */
  #rulesFor(
    bundles: readonly CompleteBlock[],
    { trust = false, provenWork, leavesDuplicates }: Attempt,
  ): PrepareOptions {
    const context = this.#context;
    const options = { ...prepareOptions(context), leavesDuplicates };
    if (!trust) return { ...options, provenWork };
    const base = context.store.height;
    return { ...options, knownId: (at: number) => bundles[at - base]?.block.id };
  }

  /**
   * Checks the header of a block that extends the top, and returns the work that it must prove; undefined when any hash
   * will do. Throws ConsensusError when the header breaks a rule.
   */
  workOf(block: ParsedBlock): PowStatement | undefined {
    const context = this.#context;
    const view = context.tip.atTip;
    const { height } = view;
    const difficulty = checkHeader(view, block, context.now());
    if (!needsHash(context.verifiers, difficulty)) return undefined;
    return { height, difficulty, source: powSource(block, height, (at) => view.headers.idAt(at)) };
  }

  /** Pops up to `count` blocks, never genesis; returns the new height. */
  async pop(count: number): Promise<number> {
    const { store, tip, emit } = this.#context;
    const height = Math.max(1, store.height - Math.max(0, count));
    if (height >= store.height) return store.height;
    const removed: BlockBundle[] = [];
    for (let h = height; h < store.height; h++) {
      const bundle = mainBundle(store, h);
      if (bundle !== undefined) removed.push(bundle);
    }
    const longTerm = tip.longTermAt(height);
    await store.commit({ popTo: height });
    tip.moved(height, [], longTerm);
    emit('popped', { height, removed });
    return height;
  }
}
