import { type CryptoCheck, isBatched } from '../checks.ts';
import { type AnyCheck, countItems, sliceCheck, unpacked } from './any-check.ts';

type SingleKind = Exclude<
  CryptoCheck['kind'],
  'bulletproof' | 'bulletproof-plus' | 'fcmp-plus-plus'
>;

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
/** Most inputs of FCMP++ proofs in one job, unless a single proof has more: the slowest backend takes a minute for them, the fastest three seconds. */
const MAX_FCMP_INPUTS = 128;

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

function cutEvenly(check: AnyCheck, size: number): AnyCheck[] {
  const parts: AnyCheck[] = [];
  for (let i = 0; i < countItems(check); i += size) parts.push(sliceCheck(check, i, i + size));
  return parts;
}

/** Returns the number of inputs of each FCMP++ proof. */
function inputsOf(check: AnyCheck): number[] {
  const objects = unpacked(check);
  if (objects.kind !== 'fcmp-plus-plus') return [];
  return objects.proofs.map(({ pseudoOuts }) => pseudoOuts.length);
}

/** Cuts FCMP++ proofs into parts of about as many inputs each: they, not the proofs, are what takes time. */
function cutByInputs(check: AnyCheck, inputs: readonly number[], threads: number): AnyCheck[] {
  const total = inputs.reduce((sum, count) => sum + count, 0);
  const most = Math.min(MAX_FCMP_INPUTS, Math.ceil(total / threads));
  const parts: AnyCheck[] = [];
  let [from, sum] = [0, 0];
  for (const [i, count] of inputs.entries()) {
    if (i > from && sum + count > most) {
      parts.push(sliceCheck(check, from, i));
      [from, sum] = [i, 0];
    }
    sum += count;
  }
  if (from < inputs.length) parts.push(sliceCheck(check, from, inputs.length));
  return parts;
}

/**
 * Cuts a check into parts for `threads` workers; a check without items has no parts. The answers are joined in
 * item order, those of range proofs by AND.
 */
export function splitCheck(check: AnyCheck, threads: number): SplitCheck {
  const parts =
    check.kind === 'fcmp-plus-plus'
      ? cutByInputs(check, inputsOf(check), threads)
      : cutEvenly(check, partSize(check, threads));
  return {
    parts,
    join: (answers) => (isBatched(check) ? [answers.flat().every(Boolean)] : answers.flat()),
  };
}
