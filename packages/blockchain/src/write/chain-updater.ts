import { monotonicMilliseconds } from '@monero-node/base';
import { toHex, type ParsedBlock } from '@monero-node/codec';
import { seedHeight } from '@monero-node/pow';
import { ConsensusError } from '@monero-node/consensus';
import { AlternativeWriter } from './alternative-writer.ts';
import { MainWriter, type AppendOptions, type VerifiedRun } from './main-writer.ts';
import { storageConflict } from './storage-conflict.ts';
import { TreeJudge } from './tree-judge.ts';
import {
  checkListedOnce,
  completeBlock,
  matchTransactions,
  missingPositions,
  prunedPositions,
  type MatchedTransactions,
} from '../verify/match-transactions.ts';
import { findTransactions } from '../verify/find-transactions.ts';
import { type PowStatement, verifyPowBatch } from '../verify/verify-pow.ts';
import { isSameWork, type WantedWork } from '../verify/work-ahead.ts';
import type {
  AddBlockOptions,
  AddBlockResult,
  AddSpanOptions,
  IncomingBlock,
  CompleteBlock,
} from '../types.ts';
import { BlocksAhead, type BlockAhead } from './block-ahead.ts';
import { collectRun, lackingPositions } from './collect-run.ts';
import { RunsAhead } from './runs-ahead.ts';
import {
  knownBlock,
  refuse,
  UNPROVEN,
  type Unproven,
  type WriterContext,
} from './writer-context.ts';

/** Outcomes after which the rest of a span cannot be used. */
export const DEAD_ENDS: ReadonlySet<AddBlockResult['status']> = new Set([
  'orphan',
  'missing-txs',
  'invalid',
]);

/** How to add a run of blocks of a span. */
interface AddRunOptions extends AddSpanOptions {
  /** Whether blocks can still be added after these. */
  readonly goesOn: () => boolean;
}

/** Adds blocks to the main chain or to a side chain. Callers make one change at a time. */
export class ChainUpdater {
  readonly #context: WriterContext;
  readonly #main: MainWriter;
  readonly #ahead: RunsAhead;
  readonly #blocksAhead: BlocksAhead;
  readonly #alternative: AlternativeWriter;
  readonly #treeJudge: TreeJudge;
  /** Changes of the chain that have begun. */
  #changes = 0;

  constructor(context: WriterContext) {
    this.#context = context;
    this.#main = new MainWriter(context);
    this.#ahead = new RunsAhead(context, this.#main);
    this.#blocksAhead = new BlocksAhead(context, this.#main);
    this.#alternative = new AlternativeWriter(context);
    this.#treeJudge = new TreeJudge(context);
  }

  popBlocks(count: number): Promise<number> {
    this.dropAhead();
    return this.#main.pop(count);
  }

  /** Forgets what was verified on the chain as it is now. */
  dropAhead(): void {
    this.#changes++;
    this.#ahead.drop();
  }

  /**
   * Verifies what can be verified of a block before its turn, its proof of work excepted; {@link addBlock} takes the result. Call it while
   * nothing changes the chain, for a block of the owner of the node: a stranger has to prove work first. Resolves to undefined when there
   * is no result, and never rejects.
   */
  verifyAhead(
    incoming: IncomingBlock,
    options: Pick<AddBlockOptions, 'findTransaction'>,
  ): Promise<BlockAhead | undefined> {
    return this.#blocksAhead.verify(incoming, this.#changes, async () => {
      const matched = await this.#complete(incoming, options, this.#limitsOnTop);
      const isWhole = missingPositions(matched).length === 0;
      return isWhole ? completeBlock(incoming.block, matched.txs) : undefined;
    });
  }

  get #limitsOnTop(): { readonly extendsTop: true; readonly maxBytes: number } {
    return { extendsTop: true, maxBytes: 2 * this.#context.tip.atTip.weightState.limit };
  }

  /**
   * Returns the work that a block must prove before it can be added, as the chain is now; undefined for a block that is
   * known, has no known parent or breaks another rule, and where any hash will do. Call it at any time.
   */
  async workOf(block: ParsedBlock): Promise<WantedWork | undefined> {
    if (this.known(block) !== undefined) return undefined;
    try {
      const extendsTop = this.#main.extends(block.block.prevId);
      const statement = extendsTop ? this.#workOnTop(block) : await this.#alternative.workOf(block);
      if (statement === undefined) return undefined;
      const { store } = this.#context;
      const currentSeed = store.blockMeta(seedHeight(store.height))?.id;
      return { statement, extendsTop, currentSeed };
    } catch (error) {
      // Whoever adds the block finds it again, and the chain does not change meanwhile.
      if (error instanceof ConsensusError) return undefined;
      throw error;
    }
  }

  /** As `workOf` of the writer. A root that is to be computed once more is not checked: whoever asks for that has to prove work first. */
  #workOnTop(block: ParsedBlock): PowStatement | undefined {
    return this.#main.workOf(block, this.#treeJudge.isDue(block) ? 'unchecked' : 'checked');
  }

  /** Has the newest root computed once more before a run, if its first block has another one and good work. */
  async #judgeBefore({ block }: CompleteBlock): Promise<void> {
    if (!this.#treeJudge.isDue(block)) return;
    const { pow, counters } = this.#context.verifiers;
    let work: PowStatement | undefined;
    try {
      work = this.#workOnTop(block);
    } catch (error) {
      // Whoever verifies the run finds it again.
      if (error instanceof ConsensusError) return;
      throw error;
    }
    const bad = pow && (await verifyPowBatch(pow, [work], counters));
    if (bad === undefined && (await this.#treeJudge.judge(block))) this.dropAhead();
  }

  /** Returns whether a block is known, or would continue the main chain. */
  needsNoWorkAhead({ id, block }: ParsedBlock): boolean {
    return this.#main.extends(block.prevId) || this.#context.store.heightOf(id) !== undefined;
  }

  /**
   * Adds one block, which may lack some of its transactions. None is decoded or looked up before the header and the proof
   * of work are known to be valid.
   *
   * @param proven what was proven about the block; 'unproven' when it needs another proof by now
   * @param ahead what {@link verifyAhead} has found
   */
  async addBlock(
    incoming: IncomingBlock,
    options: AddBlockOptions,
    proven: PowStatement | undefined,
    ahead: BlockAhead | undefined,
  ): Promise<AddBlockResult | Unproven> {
    const { block } = incoming;
    const changes = this.#changes++;
    const began = monotonicMilliseconds();
    return this.#guard(block, async () => {
      if (!this.#main.extends(block.block.prevId)) {
        return this.#alternative.add(block, proven, (maxBytes) => {
          // Not before: a block without its work costs a stranger nothing.
          this.#ahead.drop();
          return this.#complete(incoming, options, { extendsTop: false, maxBytes });
        });
      }
      const work = this.#workOnTop(block);
      if (work !== undefined && !(proven && isSameWork(proven, work))) return UNPROVEN;
      if (this.#treeJudge.isDue(block)) {
        if (await this.#treeJudge.judge(block)) this.dropAhead();
        this.#main.workOf(block);
      }
      const how = { provenWork: block, began, origin: options.origin };
      const good = this.#blocksAhead.take(ahead, changes);
      if (good !== undefined)
        return this.#appendOne(good.bundle, { ...how, verified: good.verified });
      const matched = await this.#complete(incoming, options, this.#limitsOnTop);
      const missing = missingPositions(matched);
      if (missing.length > 0) return { status: 'missing-txs', id: block.id, missing };
      return this.#appendOne(completeBlock(block, matched.txs), how);
    });
  }

  async #complete(
    { block, txs }: IncomingBlock,
    { decodeSent, findTransaction }: AddBlockOptions,
    limits: { readonly extendsTop: boolean; readonly maxBytes: number },
  ): Promise<MatchedTransactions> {
    checkListedOnce(block);
    const sent = (await decodeSent?.()) ?? txs;
    const { network, store } = this.#context;
    const findElsewhere = findTransaction;
    return findTransactions(block, sent, { network, store, findElsewhere, ...limits });
  }

  /**
   * Adds the leading blocks of a span, at least one, that extend the main chain, or the first block if it does not
   * extend it.
   *
   * @param proven what was proven about the first block; 'unproven' when it needs another proof by now
   */
  async addRun(
    blocks: readonly IncomingBlock[],
    options: AddRunOptions,
    proven?: PowStatement,
  ): Promise<AddBlockResult[] | Unproven> {
    this.#changes++;
    const ahead = this.#ahead.take(blocks, options);
    // Another guess begins while these blocks are stored.
    const doubted = this.#ahead.takeDoubted();
    const run = ahead?.bundles ?? (await collectRun(this.#context, blocks, this.#main.top));
    if (run.length > 0) {
      const rest = blocks.slice(run.length);
      const next = rest.length > 0 ? () => rest : options.next;
      const whileStored =
        next && ((stored: VerifiedRun) => this.#ahead.verify(stored, { ...options, next }));
      const appended = { ...options, verified: ahead?.verified, whileStored };
      const results = await this.#append(run, appended);
      const good = run.filter((_, i) => results[i]?.status === 'added');
      await this.#ahead.settle(doubted, good);
      return results;
    }
    const [first] = blocks;
    if (first === undefined) return [];
    const result = await this.#addAlone(first, options, proven);
    return result === UNPROVEN ? result : [result];
  }

  /** Adds a block of a span that does not continue a run; it must be complete. */
  async #addAlone(
    incoming: IncomingBlock,
    options: AddSpanOptions,
    proven: PowStatement | undefined,
  ): Promise<AddBlockResult | Unproven> {
    const { block } = incoming;
    return this.#guard(block, async () => {
      const matched = matchTransactions(incoming);
      const complete = completeBlock(block, matched.txs);
      const extending = this.#main.extends(block.block.prevId);
      // The block is not invalid: it may come again with full transactions.
      const missing = extending
        ? lackingPositions(this.#context, complete, this.#context.store.height)
        : prunedPositions(complete.txs);
      if (missing.length > 0) return { status: 'missing-txs', id: block.id, missing };
      return extending
        ? this.#appendOne(complete, { origin: options.origin })
        : this.#alternative.add(block, proven, () => Promise.resolve(matched));
    });
  }

  async #appendOne(bundle: CompleteBlock, options: AppendOptions = {}): Promise<AddBlockResult> {
    this.#ahead.drop();
    const [result] = await this.#append([bundle], options);
    if (result === undefined) throw new Error('no result for a block');
    return result;
  }

  async #append(
    run: readonly CompleteBlock[],
    options: AppendOptions = {},
  ): Promise<AddBlockResult[]> {
    const [first] = run;
    try {
      if (options.verified === undefined && first !== undefined) await this.#judgeBefore(first);
      return await this.#main.append(run, options);
    } catch (error) {
      const conflict = storageConflict(error);
      if (conflict === undefined) throw error;
      // The store rejected the whole run for one block.
      this.#context.logger.error(`storage rejected a verified block: ${conflict.error.message}`);
      const position = conflict.height - this.#context.store.height;
      // Neither what was verified nor what comes next fits a part of the run.
      const again = { ...options, verified: undefined, whileStored: undefined };
      const before = position > 0 ? await this.#append(run.slice(0, position), again) : [];
      if (before.length < position || DEAD_ENDS.has(before.at(-1)?.status ?? 'added'))
        return before;
      return [...before, refuse(this.#context, run[position]?.block.id, conflict.error)];
    }
  }

  /** Returns the result for a block that is known, to be good or invalid; undefined for another one. */
  known(block: ParsedBlock): AddBlockResult | undefined {
    return knownBlock(this.#context, block);
  }

  /** Remembers a block that broke a rule, and returns the result for it. */
  refuse({ id }: ParsedBlock, error: ConsensusError): AddBlockResult {
    this.#context.logger.debug(`block ${toHex(id)} rejected: ${error.message}`);
    return refuse(this.#context, id, error);
  }

  /** Adds a block unless it is known, and turns broken rules into results. */
  async #guard<T>(
    block: ParsedBlock,
    add: () => Promise<AddBlockResult | T>,
  ): Promise<AddBlockResult | T> {
    try {
      return this.known(block) ?? (await add());
    } catch (error) {
      if (!(error instanceof ConsensusError)) throw error;
      return this.refuse(block, error);
    }
  }
}
