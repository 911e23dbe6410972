import { type CryptoCheck, isBatched } from '../checks.ts';
import { type AnyCheck, countItems, sliceCheck } from './any-check.ts';

type SingleKind = Exclude<CryptoCheck['kind'], 'bulletproof' | 'bulletproof-plus'>;

/** Most items of each kind in one job, so that a big check neither blocks others nor outlives an abort for long. */
const MAX_ITEMS: Record<SingleKind, number> = {
  points: 512,
  'key-images': 128,
  balance: 128,
  clsag: 32,
  'ring-signature': 32,
  mlsag: 16,
  borromean: 8,
};
/** Fewest items of each kind that are worth a message to a worker. */
const MIN_ITEMS: Record<SingleKind, number> = {
  points: 32,
  'key-images': 8,
  balance: 8,
  clsag: 1,
  'ring-signature': 4,
  mlsag: 1,
  borromean: 1,
};
/** The proofs of a batch share the cost of the generators, so only long batches are cut, into few parts. */
const MIN_RANGE_PROOFS = 8;

/** A check cut into parts that any worker may run, and the function that joins their answers. */
export interface SplitCheck {
  readonly parts: AnyCheck[];
  join(answers: readonly boolean[][]): boolean[];
}

function partSize(check: AnyCheck, threads: number): number {
  const even = Math.ceil(countItems(check) / threads);
  if (isBatched(check)) return Math.max(MIN_RANGE_PROOFS, even);
  const kind = check.kind as SingleKind;
  return Math.min(MAX_ITEMS[kind], Math.max(MIN_ITEMS[kind], even));
}

/**
 * Cuts a check into parts for `threads` workers; a check without items has no parts. The answers are joined in
 * item order, those of range proofs by AND.
 */
export function splitCheck(check: AnyCheck, threads: number): SplitCheck {
  const size = partSize(check, threads);
  const parts: AnyCheck[] = [];
  for (let i = 0; i < countItems(check); i += size) parts.push(sliceCheck(check, i, i + size));
  return {
    parts,
    join: (answers) => (isBatched(check) ? [answers.flat().every(Boolean)] : answers.flat()),
  };
}
