import type { CryptoCheck } from '../checks.ts';

/** Most items of one kind in one job, so that a big check neither blocks others nor outlives an abort for long. */
const MAX_ITEMS = { points: 512, 'key-images': 128, balance: 128, clsag: 32 };
/** Fewest items worth a message to a worker. */
const MIN_ITEMS = { points: 32, 'key-images': 8, balance: 8, clsag: 1 };
/** A batch of range proofs shares the cost of the generators, so it is cut into few parts, and only when long. */
const MIN_RANGE_PROOFS = 8;

/** A check cut into parts that any workers may run, and how their answers make the whole answer. */
export interface SplitCheck {
  readonly parts: CryptoCheck[];
  join(answers: readonly boolean[][]): boolean[];
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const result: T[][] = [];
  for (let i = 0; i < items.length; i += size) result.push(items.slice(i, i + size));
  return result;
}

function chunkSize(kind: keyof typeof MAX_ITEMS, count: number, threads: number): number {
  const even = Math.ceil(count / threads);
  return Math.min(MAX_ITEMS[kind], Math.max(MIN_ITEMS[kind], even));
}

function partsOf(check: CryptoCheck, threads: number): CryptoCheck[] {
  switch (check.kind) {
    case 'points': {
      const size = chunkSize(check.kind, check.points.length, threads);
      return chunks(check.points, size).map((points) => ({ kind: check.kind, points }));
    }
    case 'key-images': {
      const size = chunkSize(check.kind, check.keyImages.length, threads);
      return chunks(check.keyImages, size).map((keyImages) => ({ kind: check.kind, keyImages }));
    }
    case 'balance': {
      const size = chunkSize(check.kind, check.statements.length, threads);
      return chunks(check.statements, size).map((statements) => ({ kind: check.kind, statements }));
    }
    case 'clsag': {
      const size = chunkSize(check.kind, check.proofs.length, threads);
      return chunks(check.proofs, size).map((proofs) => ({ kind: check.kind, proofs }));
    }
    case 'bulletproof-plus': {
      const size = Math.max(MIN_RANGE_PROOFS, Math.ceil(check.proofs.length / threads));
      return chunks(check.proofs, size).map((proofs) => ({ kind: check.kind, proofs }));
    }
  }
}

/** Cuts a check for `threads` workers. No items: no parts. Answers are joined in item order, for range proofs by AND. */
export function splitCheck(check: CryptoCheck, threads: number): SplitCheck {
  return {
    parts: partsOf(check, threads),
    join: (answers) =>
      check.kind === 'bulletproof-plus' ? [answers.flat().every(Boolean)] : answers.flat(),
  };
}
