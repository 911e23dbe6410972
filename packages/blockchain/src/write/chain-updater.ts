import { bytesEqual, toHex, type ParsedBlock } from '@monero-node/codec';
import { ConsensusError } from '@monero-node/consensus';
import { AlternativeWriter } from './alternative-writer.ts';
import { MainWriter, storageConflict } from './main-writer.ts';
import {
  completeBundle,
  matchTransactions,
  prunedPositions,
} from '../verify/match-transactions.ts';
import { transactionBlob } from '../query/serve.ts';
import type { AddBlockOptions, AddBlockResult, IncomingBlock, ParsedBundle } from '../types.ts';
import { refuse, type WriterContext } from './writer-context.ts';

/** Results after which the rest of a span cannot be used. */
const DEAD_ENDS: ReadonlySet<AddBlockResult['status']> = new Set([
  'orphan',
  'missing-txs',
  'invalid',
]);

/** Decides where a block belongs and has it added there. One change at a time. */
export class ChainUpdater {
  readonly #context: WriterContext;
  readonly #main: MainWriter;
  readonly #alternative: AlternativeWriter;

  constructor(context: WriterContext) {
    this.#context = context;
    this.#main = new MainWriter(context);
    this.#alternative = new AlternativeWriter(context);
  }

  popBlocks(count: number): Promise<number> {
    return this.#main.pop(count);
  }

  /**
   * Adds blocks in order; stops behind the first that leads nowhere.
   *
   * @param trust takes proofs of work and of transactions for granted.
   */
  async addSpan(blocks: readonly IncomingBlock[], trust: boolean): Promise<AddBlockResult[]> {
    const results: AddBlockResult[] = [];
    while (results.length < blocks.length) {
      const step = await this.#addRun(blocks.slice(results.length), trust);
      results.push(...step);
      const last = step.at(-1);
      if (last === undefined || DEAD_ENDS.has(last.status)) break;
    }
    return results;
  }

  /** Adds one block, of which transactions may be missing. */
  async addBlock(
    bundle: IncomingBlock,
    { findTransaction }: AddBlockOptions,
  ): Promise<AddBlockResult> {
    const { block } = bundle;
    return this.#guard(block, async () => {
      const partial = matchTransactions(bundle, (id) => findTransaction?.(id) ?? this.#lookUp(id));
      const pruned = prunedPositions(partial.txs);
      if (pruned.length > 0) return { status: 'missing-txs', id: block.id, missing: pruned };
      if (!this.#main.extends(block.block.prevId)) return this.#alternative.add(partial);
      if (partial.missing.length === 0) return this.#appendOne(completeBundle(partial));
      await this.#main.checkIncomplete(partial);
      return { status: 'missing-txs', id: block.id, missing: [...partial.missing] };
    });
  }

  /** Takes as many of `blocks` as extend the main chain one after the other, or else the first. */
  async #addRun(blocks: readonly IncomingBlock[], trust: boolean): Promise<AddBlockResult[]> {
    const run: ParsedBundle[] = [];
    for (const incoming of blocks) {
      const bundle = this.#extendsRun(incoming, run);
      if (bundle === undefined) break;
      run.push(bundle);
    }
    if (run.length > 0) return this.#append(run, trust);
    const [first] = blocks;
    if (first === undefined) return [];
    return [await this.#addAlone(first)];
  }

  /** Returns the block if it is complete, new and continues the run; errors are left for later. */
  #extendsRun(bundle: IncomingBlock, run: readonly ParsedBundle[]): ParsedBundle | undefined {
    try {
      const { block } = bundle;
      const above = run.at(-1);
      const { prevId } = block.block;
      const fits = above ? bytesEqual(prevId, above.block.id) : this.#main.extends(prevId);
      if (!fits || this.#known(block) !== undefined) return undefined;
      const complete = completeBundle(matchTransactions(bundle));
      return this.#lacking(complete, run.length).length > 0 ? undefined : complete;
    } catch (error) {
      if (error instanceof ConsensusError) return undefined;
      throw error;
    }
  }

  /** A block of a span that has to be looked at on its own; it must be complete. */
  async #addAlone(bundle: IncomingBlock): Promise<AddBlockResult> {
    const { block } = bundle;
    return this.#guard(block, async () => {
      const partial = matchTransactions(bundle);
      const complete = completeBundle(partial);
      const extending = this.#main.extends(block.block.prevId);
      // Nothing is wrong with the block: it may come again, whole.
      const missing = extending ? this.#lacking(complete, 0) : prunedPositions(complete.txs);
      if (missing.length > 0) return { status: 'missing-txs', id: block.id, missing };
      return extending ? this.#appendOne(complete) : this.#alternative.add(partial);
    });
  }

  /**
   * Positions of pruned transactions that would have to be whole, in a block `above` so many others that
   * extend the main chain: where the block's weight is known beforehand, the base forms do.
   */
  #lacking({ txs }: ParsedBundle, above: number): number[] {
    const { store, precomputed } = this.#context;
    return precomputed.weightAt(store.height + above) === undefined ? prunedPositions(txs) : [];
  }

  async #appendOne(bundle: ParsedBundle): Promise<AddBlockResult> {
    const [result] = await this.#append([bundle]);
    if (result === undefined) throw new Error('no result for a block');
    return result;
  }

  async #append(run: readonly ParsedBundle[], trust = false): Promise<AddBlockResult[]> {
    try {
      return await this.#main.append(run, trust);
    } catch (error) {
      const conflict = storageConflict(error);
      if (conflict === undefined) throw error;
      // Only a rule missed above gets here; the store refused the whole run.
      this.#context.logger.error(`storage refused verified blocks: ${conflict.message}`);
      return [refuse(this.#context, run[0]?.block.id, conflict)];
    }
  }

  #known(block: ParsedBlock): AddBlockResult | undefined {
    const { store, invalid } = this.#context;
    const { id } = block;
    if (store.heightOf(id) !== undefined || store.altBlock(id) !== undefined) {
      return { status: 'known', id };
    }
    const error = invalid.get(id);
    return error && { status: 'invalid', id, error };
  }

  /** Sorts out known blocks, and turns broken rules into results. */
  async #guard(block: ParsedBlock, add: () => Promise<AddBlockResult>): Promise<AddBlockResult> {
    const { id } = block;
    try {
      return this.#known(block) ?? (await add());
    } catch (error) {
      if (!(error instanceof ConsensusError)) throw error;
      this.#context.logger.debug(`block ${toHex(id)} refused: ${error.message}`);
      return refuse(this.#context, id, error);
    }
  }

  /** A transaction that the main chain already holds: a side-chain block may list it again. */
  #lookUp(id: Uint8Array): Uint8Array | undefined {
    return transactionBlob(this.#context.store, id);
  }
}
