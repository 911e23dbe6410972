import { Yielder } from '@monero-node/base';
import type { VerificationPool } from '@monero-node/crypto';
import { ConsensusError, verifyProofs, type BatchFailure } from '@monero-node/consensus';
import type { PowHasher } from '@monero-node/pow';
import type { ChainView } from '../view/chain-view.ts';
import { LookupsAhead } from './lookups-ahead.ts';
import { proveFirst } from './prove-first.ts';
import { prepareBlock, type PreparedBlock, type PrepareOptions } from './prepare-block.ts';
import {
  needsHash,
  powSource,
  verifyPowBatch,
  type PowJudge,
  type PowStatement,
} from './verify-pow.ts';
import type { CompleteBlock, VerificationCounters } from '../types.ts';

/** The engines that verify a batch. Without a hasher, proof of work is not verified. */
export interface BatchVerifiers {
  readonly verifier: VerificationPool;
  readonly pow: PowJudge | undefined;
  /** Whether to compute no hash where the difficulty is 1; false when absent. */
  readonly skipEasiestWork?: boolean | undefined;
  readonly counters: VerificationCounters;
}

/** The engines that verify the blocks of a chain, and the counts of what they have verified. */
export interface Verifiers extends BatchVerifiers {
  readonly pow: PowHasher;
}

/** The valid blocks of a batch, and the error of the next one. */
export interface BatchOutcome {
  readonly good: PreparedBlock[];
  readonly failure?: ConsensusError | undefined;
}

function powStatement(view: ChainView, block: PreparedBlock): PowStatement {
  const { height, difficulty, bundle } = block;
  // The seed block may be part of the batch itself: the view knows both.
  const source = powSource(view.network, bundle.block, height, (at) => view.headers.idAt(at));
  return { height, difficulty, source };
}

function earlier(
  a: BatchFailure | undefined,
  b: BatchFailure | undefined,
): BatchFailure | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.block < a.block ? b : a;
}

/**
 * Verifies consecutive blocks on top of `view`: context rules in order, then all proofs of work
 * and all cryptography as one parallel batch. Blocks are pushed on the view as soon as their context rules
 * hold, so discard the view when the outcome has a failure.
 */
export async function verifyBatch(
  view: ChainView,
  bundles: readonly CompleteBlock[],
  options: PrepareOptions,
  verifiers: BatchVerifiers,
): Promise<BatchOutcome> {
  const { counters, verifier, pow } = verifiers;
  const yielder = new Yielder();
  const prepared: PreparedBlock[] = [];
  const statements: (PowStatement | undefined)[] = [];
  let failure: ConsensusError | undefined;
  const base = view.height;
  const isKnown = (position: number) => options.knownId?.(base + position) !== undefined;
  const lookups = new LookupsAhead(view, bundles, isKnown);
  for (const [position, bundle] of bundles.entries()) {
    try {
      const reached = lookups.reach(position);
      if (reached !== undefined) await reached;
      // Below the first is what others have stored or are storing.
      const mayBeSettled = position > 0;
      const root = mayBeSettled ? 'unchecked' : 'checked';
      const isProven =
        pow === undefined ||
        options.provenWork === bundle.block ||
        (view.tree !== undefined &&
          (await proveFirst(view, bundle, { ...options, root }, verifiers)));
      // After the proof of work, as it may take long.
      if (mayBeSettled) await view.tree?.settle(bundle.block.block.tree, view.rules, yielder);
      const block = await prepareBlock(view, bundle, options, yielder);
      const isSkipped = block.known || isProven || !needsHash(verifiers, block.difficulty);
      statements.push(isSkipped ? undefined : powStatement(view, block));
      prepared.push(block);
    } catch (error) {
      lookups.stop();
      if (!(error instanceof ConsensusError)) throw error;
      failure = error;
      break;
    }
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
  }
  const transactions = prepared.flatMap((block, position) =>
    block.transactions.map((transaction) => ({ block: position, transaction })),
  );
  const unverified = transactions.filter(({ transaction }) => !transaction.cached);
  const [badPow, badProof] = await Promise.all([
    pow && verifyPowBatch(pow, statements, counters),
    // Known blocks have none, and to make sure of that is work for each kind of proof.
    unverified.length > 0 ? verifyProofs(verifier, unverified, counters) : undefined,
  ]);
  // Like all counters of transactions: only blocks before the first with a bad proof count.
  const end = badProof?.block ?? prepared.length;
  counters.cached += transactions.filter(
    ({ block, transaction }) => transaction.cached && block < end,
  ).length;
  // Within a block, a bad proof of work is reported first.
  const bad = earlier(badPow, badProof);
  if (bad === undefined) return { good: prepared, failure };
  const height = prepared[bad.block]?.height;
  const { code, detail, txId } = bad.error;
  return {
    good: prepared.slice(0, bad.block),
    failure: new ConsensusError(code, detail, { height, txId }),
  };
}
