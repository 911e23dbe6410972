import type { ChainView } from '../view/chain-view.ts';
import type { CompleteBlock, VerificationCounters } from '../types.ts';
import { checkHeader, located, type PrepareOptions, type RootCheck } from './prepare-block.ts';
import { needsHash, powSource, verifyPowBatch, type PowJudge } from './verify-pow.ts';

/** What a proof of work is verified with. */
interface WorkVerifiers {
  readonly pow: PowJudge | undefined;
  readonly skipEasiestWork?: boolean | undefined;
  readonly counters: VerificationCounters;
}

/**
 * Verifies the proof of work of the next block before its outputs are looked at, for a chain with a curve tree: growing that costs
 * milliseconds for an output, which nobody is to have for nothing. Returns whether it did: not for a known block, nor for easy work that is
 * to be skipped. Other chains verify many proofs at once, later, and have no use for this.
 *
 * Throws ConsensusError, with the height, when the header or the proof of work is bad.
 */
export async function proveFirst(
  view: ChainView,
  { block }: CompleteBlock,
  { now, knownId, root }: Pick<PrepareOptions, 'now' | 'knownId'> & { readonly root: RootCheck },
  verifiers: WorkVerifiers,
): Promise<boolean> {
  const { pow, counters } = verifiers;
  const { height, network } = view;
  if (pow === undefined || knownId?.(height) !== undefined) return false;
  try {
    const difficulty = checkHeader(view, block, now, root);
    if (!needsHash(verifiers, difficulty)) return false;
    const source = powSource(network, block, height, (at) => view.headers.idAt(at));
    const failure = await verifyPowBatch(pow, [{ height, difficulty, source }], counters);
    if (failure !== undefined) throw failure.error;
    return true;
  } catch (error) {
    throw located(error, height);
  }
}
