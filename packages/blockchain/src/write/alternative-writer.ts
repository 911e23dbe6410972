import { setImmediate as nextTurn } from 'node:timers/promises';
import { toHex } from '@monero-node/codec';
import { ConsensusError, isCheckpoint } from '@monero-node/consensus';
import type { AltBlock } from '@monero-node/storage';
import {
  alternativeChain,
  withDescendants,
  type AlternativeChain,
} from '../view/alternative-chain.ts';
import {
  alternativeBlock,
  checkAlternativeHeader,
  checkAlternativeTransactions,
} from '../verify/check-alternative.ts';
import {
  completeBundle,
  matchTransactions,
  type PartialBundle,
} from '../verify/match-transactions.ts';
import { parseBundle } from '../verify/parse-bundle.ts';
import type { PreparedBlock } from '../verify/prepare-block.ts';
import { mainBundle } from '../query/serve.ts';
import type { AddBlockResult, BlockBundle, ParsedBundle } from '../types.ts';
import { verifyBatch } from '../verify/verify-batch.ts';
import { verifyPow } from '../verify/verify-pow.ts';
import { verifyProofs } from '../verify/verify-proofs.ts';
import {
  announce,
  prepareOptions,
  refuse,
  storeView,
  type WriterContext,
} from './writer-context.ts';

/** Blocks of a side chain that are decoded and verified at a time during a reorganisation. */
const REORGANISE_STEP = 50;

/** A block of a side chain: the newest has just come decoded, the others are read from storage. */
interface SideBlock {
  readonly stored: AltBlock;
  readonly bundle?: ParsedBundle;
}

/** Decodes the blocks that come from storage one by one, yielding to the event loop in between. */
async function decode(blocks: readonly SideBlock[]): Promise<ParsedBundle[]> {
  const bundles: ParsedBundle[] = [];
  for (const { stored, bundle } of blocks) {
    bundles.push(
      bundle ??
        completeBundle(matchTransactions(parseBundle({ block: stored.blob, txs: stored.txs }))),
    );
    await nextTurn();
  }
  return bundles;
}

/** Keeps blocks of side chains, and makes a side chain the main chain when it has more work. */
export class AlternativeWriter {
  readonly #context: WriterContext;

  constructor(context: WriterContext) {
    this.#context = context;
  }

  /**
   * Adds a block that does not extend the top of the main chain
   * (upstream blockchain.cpp, handle_alternative_block).
   *
   * @throws ConsensusError
   */
  async add(partial: PartialBundle): Promise<AddBlockResult> {
    const { store, network, now, verifiers } = this.#context;
    const { id, block } = partial.block;
    const chain = alternativeChain(store, block.prevId);
    if (chain === undefined) return { status: 'orphan', id };
    const header = checkAlternativeHeader({ network, store, now: now() }, chain, partial);
    await verifyPow(verifiers.pow, header.pow);
    if (partial.missing.length > 0) {
      return { status: 'missing-txs', id, missing: [...partial.missing] };
    }
    const bundle = completeBundle(partial);
    const { height } = header;
    const transactions = checkAlternativeTransactions(network, height, bundle);
    const failure = await verifyProofs(
      verifiers.verifier,
      transactions.map((transaction) => ({ block: 0, transaction })),
      verifiers.counters,
    );
    if (failure !== undefined) throw failure.error;
    verifiers.counters.pow++;
    const stored = alternativeBlock(store, chain, header, bundle);
    // A checkpoint's own block wins whatever its difficulty, and there is no way back from it.
    const forced = isCheckpoint(network, height, id);
    if (forced || header.cumulativeDifficulty > this.#mainDifficulty()) {
      return this.#reorganise(chain, { stored, bundle }, { keepReplaced: !forced });
    }
    await store.commit({ putAlt: [stored] });
    this.#context.emit('alternative-block', { id, height, bundle });
    return { status: 'alternative', height, id };
  }

  #mainDifficulty(): bigint {
    const { store } = this.#context;
    return store.blockMeta(store.height - 1)?.cumulativeDifficulty ?? 0n;
  }

  /**
   * Verifies the whole side chain under every rule of the main chain and, if it is good, puts it in
   * place of the main chain's blocks above the split, all in one storage transaction. The blocks
   * replaced become a side chain, if they are to be kept.
   */
  async #reorganise(
    chain: AlternativeChain,
    newest: Required<SideBlock>,
    { keepReplaced }: { keepReplaced: boolean },
  ): Promise<AddBlockResult> {
    const context = this.#context;
    const blocks = [...chain.blocks.map((stored): SideBlock => ({ stored })), newest];
    const view = context.tip.viewAt(chain.splitHeight);
    const verified: PreparedBlock[] = [];
    for (let i = 0; i < blocks.length; i += REORGANISE_STEP) {
      const bundles = await decode(blocks.slice(i, i + REORGANISE_STEP));
      const outcome = await verifyBatch(view, bundles, prepareOptions(context), context.verifiers);
      verified.push(...outcome.good);
      if (outcome.failure !== undefined) {
        return this.#rejectFrom(blocks, verified.length, newest.stored, outcome.failure);
      }
    }
    const removed = this.#mainFrom(chain.splitHeight);
    const put = keepReplaced ? removed.map(({ alternative }) => alternative) : [];
    await storeView(context, view, verified.length, {
      put,
      remove: chain.blocks.map((block) => block.id),
    });
    const { splitHeight } = chain;
    context.logger.warn(
      `reorganised at height ${splitHeight}: ${removed.length} blocks replaced by ${blocks.length}`,
    );
    const bundles = removed.map(({ bundle }) => bundle);
    context.emit('reorg', { splitHeight, removed: bundles, added: blocks.length });
    announce(context, verified);
    return { status: 'reorganized', height: newest.stored.height, id: newest.stored.id };
  }

  /** Block `bad` of a side chain breaks a rule: it and all that builds on it are forgotten. */
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
    context.logger.warn(`side chain refused at ${toHex(first.id)}: ${error.message}`);
    for (const id of [...ids, newest.id]) refuse(context, id, error);
    return { status: 'invalid', id: newest.id, error };
  }

  /** The main chain's blocks from `height` up, as they were and as blocks of a side chain. */
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
