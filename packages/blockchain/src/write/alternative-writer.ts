import { monotonicMilliseconds, Yielder } from '@monero-node/base';
import { toHex, type ParsedBlock } from '@monero-node/codec';
import { ConsensusError, isCheckpoint, type Network, verifyProofs } from '@monero-node/consensus';
import type { AltBlock } from '@monero-node/storage';
import { withDescendants } from '../view/descendants.ts';
import { sideHeader, type SideChain } from '../view/side-chain.ts';
import { SideChains } from '../view/side-chains.ts';
import {
  alternativeBlock,
  checkAlternativeHeader,
  checkAlternativeTransactions,
  type AlternativeHeader,
} from '../verify/check-alternative.ts';
import {
  completeBlock,
  decodeSideBlock,
  missingPositions,
  type MatchedTransactions,
} from '../verify/match-transactions.ts';
import type { PreparedBlock } from '../verify/prepare-block.ts';
import { mainBundle } from '../query/serve.ts';
import type { AddBlockResult, BlockBundle, CompleteBlock } from '../types.ts';
import { verifyBatch } from '../verify/verify-batch.ts';
import { needsHash, type PowStatement } from '../verify/verify-pow.ts';
import { isSameWork } from '../verify/work-ahead.ts';
import { logAdded } from './log-added.ts';
import { SideTrees } from './side-trees.ts';
import { storageConflict } from './storage-conflict.ts';
import {
  announce,
  prepareOptions,
  refuse,
  storeView,
  UNPROVEN,
  type Unproven,
  type WriterContext,
} from './writer-context.ts';

/** Blocks of a side chain that are decoded and verified at a time during a reorganization. */
const REORGANIZE_STEP = 50;

/** A block of a side chain; decoded if it is the newest, otherwise read from storage. */
interface SideBlock {
  readonly stored: AltBlock;
  readonly bundle?: CompleteBlock;
}

/** The valid header of a block, and the chain that it builds on. */
export interface SideBlockHeader {
  readonly chain: SideChain;
  readonly header: AlternativeHeader;
}

/** Decodes the blocks that come from storage, yielding to the event loop in between. */
async function decode(network: Network, blocks: readonly SideBlock[]): Promise<CompleteBlock[]> {
  const yielder = new Yielder();
  const bundles: CompleteBlock[] = [];
  for (const { stored, bundle } of blocks) {
    bundles.push(bundle ?? decodeSideBlock(network, stored));
    await yielder.yieldIfDue();
  }
  return bundles;
}

/** Stores blocks of side chains, and makes a side chain the main chain when it has more work. */
export class AlternativeWriter {
  readonly #context: WriterContext;
  readonly #sideChains: SideChains;
  readonly #sideTrees: SideTrees | undefined;

  constructor(context: WriterContext) {
    this.#context = context;
    const { network, store, tree } = context;
    this.#sideChains = new SideChains(store);
    this.#sideTrees = tree && new SideTrees(network, store, tree);
  }

  /**
   * Checks the header of a block that does not extend the top. Returns it with the chain that the block builds on; undefined
   * when its parent is unknown. Throws ConsensusError when the header breaks a rule.
   */
  async header(parsed: ParsedBlock): Promise<SideBlockHeader | undefined> {
    const { store, network, now, tip } = this.#context;
    const chain = await this.#sideChains.endingIn(parsed.block.prevId);
    if (chain === undefined) return undefined;
    const weightLimit = tip.atTip.weightState.limit;
    const context = { network, store, weightLimit, now: now() };
    return { chain, header: checkAlternativeHeader(context, chain, parsed) };
  }

  /** Returns the work that a block must prove; undefined when its parent is unknown or any hash will do. Throws like `header`. */
  async workOf(parsed: ParsedBlock): Promise<PowStatement | undefined> {
    const pow = (await this.header(parsed))?.header.pow;
    return pow && needsHash(this.#context.verifiers, pow.difficulty) ? pow : undefined;
  }

  /**
   * Adds a block that does not extend the top of the main chain.
   *
   * Throws ConsensusError when the block breaks a rule, and what `complete` throws.
   * Source: handle_alternative_block in src/cryptonote_core/blockchain.cpp.
   *
   * @param proven what was proven about the block before; the result is 'unproven' when it needs another proof by now
   * @param complete returns the block's transactions of at most that many bytes; called when the header and the proof of
   *   work are valid
   */
  async add(
    parsed: ParsedBlock,
    proven: PowStatement | undefined,
    complete: (maxBytes: number) => Promise<MatchedTransactions>,
  ): Promise<AddBlockResult | Unproven> {
    const { store, network, tip, verifiers } = this.#context;
    const { id, block } = parsed;
    const found = await this.header(parsed);
    if (found === undefined) return { status: 'orphan', id };
    const { chain, header } = found;
    const isHashed = needsHash(verifiers, header.pow.difficulty);
    if (isHashed && !(proven && isSameWork(proven, header.pow))) return UNPROVEN;
    const matched = await complete(chain.greatestWeight(tip.atTip.weightState.limit));
    const missing = missingPositions(matched);
    if (missing.length > 0) return { status: 'missing-txs', id, missing };
    const bundle = completeBlock(parsed, matched.txs);
    const { height } = header;
    const transactions = checkAlternativeTransactions(network, height, bundle);
    const failure = await verifyProofs(
      verifiers.verifier,
      transactions.map((transaction) => ({ block: 0, transaction })),
      verifiers.counters,
    );
    if (failure !== undefined) throw failure.error;
    await this.#sideTrees?.check(chain, parsed);
    if (isHashed) verifiers.counters.pow++;
    const stored = alternativeBlock(chain, header, bundle);
    // The block of a checkpoint wins regardless of difficulty, and the blocks it replaces are dropped.
    const forced = isCheckpoint(network, height, id);
    if (forced || header.cumulativeDifficulty > this.#mainDifficulty()) {
      return this.#reorganize(chain, { stored, bundle }, { keepReplaced: !forced });
    }
    await store.commit({ putAlt: [stored] });
    this.#sideChains.push(chain, sideHeader(stored, block.timestamp));
    await this.#sideTrees?.follow(chain);
    this.#context.emit('alternative-block', { id, height, bundle });
    return { status: 'alternative', height, id };
  }

  /** Reads blocks of a side chain, by their 32-byte ids. Throws Error when one is missing. */
  #stored(ids: readonly Uint8Array[]): SideBlock[] {
    return ids.map((id) => {
      const stored = this.#context.store.altBlock(id);
      if (stored === undefined) throw new Error(`alternative block ${toHex(id)} is missing`);
      return { stored };
    });
  }

  #mainDifficulty(): bigint {
    const { store } = this.#context;
    return store.blockMeta(store.height - 1)?.cumulativeDifficulty ?? 0n;
  }

  /**
   * Verifies the whole side chain by every rule of the main chain. If it is valid, it replaces the main
   * chain's blocks above the split in one storage transaction.
   *
   * @param keepReplaced stores the replaced blocks as a side chain
   */
  async #reorganize(
    chain: SideChain,
    newest: Required<SideBlock>,
    { keepReplaced }: { keepReplaced: boolean },
  ): Promise<AddBlockResult> {
    const context = this.#context;
    const began = monotonicMilliseconds();
    // Whatever the outcome, blocks leave the side chains.
    this.#sideChains.clear();
    const ids = chain.headers.pushed.map(({ id }) => id);
    const blocks = [...this.#stored(ids), newest];
    const view = context.tip.viewAt(chain.splitHeight);
    const verified: PreparedBlock[] = [];
    for (let i = 0; i < blocks.length; i += REORGANIZE_STEP) {
      const bundles = await decode(this.#context.network, blocks.slice(i, i + REORGANIZE_STEP));
      const outcome = await verifyBatch(view, bundles, prepareOptions(context), context.verifiers);
      verified.push(...outcome.good);
      if (outcome.failure !== undefined) {
        return this.#rejectFrom(blocks, verified.length, newest.stored, outcome.failure);
      }
    }
    const removed = this.#mainFrom(chain.splitHeight);
    const put = keepReplaced ? removed.map(({ alternative }) => alternative) : [];
    const { splitHeight } = chain;
    try {
      await storeView(context, view, { count: verified.length, put, remove: ids });
    } catch (error) {
      const conflict = storageConflict(error);
      if (conflict === undefined) throw error;
      const bad = conflict.height - splitHeight;
      return this.#rejectFrom(blocks, bad, newest.stored, conflict.error);
    }
    context.logger.warn(
      `reorganized at height ${splitHeight}: ${removed.length} blocks replaced by ${blocks.length}`,
    );
    const bundles = removed.map(({ bundle }) => bundle);
    context.emit('reorg', { splitHeight, removed: bundles, added: blocks.length });
    announce(context, verified);
    logAdded(context.logger, verified, { began });
    return { status: 'reorganized', height: newest.stored.height, id: newest.stored.id };
  }

  /** Forgets the block at position `bad` of a side chain, which breaks a rule, and every block that builds on it. */
  async #rejectFrom(
    blocks: readonly SideBlock[],
    bad: number,
    newest: AltBlock,
    error: ConsensusError,
  ): Promise<AddBlockResult> {
    const context = this.#context;
    const { store } = context;
    const first = blocks[bad]?.stored ?? newest;
    const ids = withDescendants(store, first.id);
    await store.commit({ removeAlt: ids });
    context.logger.warn(`side chain rejected at block ${toHex(first.id)}: ${error.message}`);
    for (const id of [...ids, newest.id]) refuse(context, id, error);
    return { status: 'invalid', id: newest.id, error };
  }

  /** Returns the main chain's blocks from `height` upwards, with their records as blocks of a side chain. */
  #mainFrom(height: number): { bundle: BlockBundle; alternative: AltBlock }[] {
    const { store } = this.#context;
    return store.blockMetas(height, store.height).flatMap((meta) => {
      const bundle = mainBundle(store, meta.height);
      const prevId = store.blockMeta(meta.height - 1)?.id;
      if (bundle === undefined || prevId === undefined) return [];
      const { id, cumulativeDifficulty, weight, generatedCoins } = meta;
      const alternative: AltBlock = {
        id,
        height: meta.height,
        prevId,
        cumulativeDifficulty,
        weight,
        generatedCoins,
        blob: bundle.block,
        txs: bundle.txs,
      };
      return [{ bundle, alternative }];
    });
  }
}
