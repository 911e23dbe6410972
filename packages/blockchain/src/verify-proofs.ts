import type {
  BalanceStatement,
  BulletproofPlusProof,
  ClsagProof,
  VerificationPool,
} from '@monero-node/crypto';
import { ConsensusError, type ConsensusErrorCode } from '@monero-node/consensus';
import type { PendingTransaction } from './prepare-block.ts';
import type { VerificationCounters } from './types.ts';

/** A thing to verify, and whose it is. */
interface Owned<T> {
  readonly item: T;
  readonly owner: number;
}

/** The first transaction (by position) found guilty, and of what. */
interface Fault {
  readonly owner: number;
  readonly code: ConsensusErrorCode;
}

/** A transaction of a batch, with the block it is in. */
export interface BatchTransaction {
  /** Position of its block in the batch. */
  readonly block: number;
  readonly transaction: PendingTransaction;
}

/** Why a batch failed: the position of the first bad block and the error. */
export interface BatchFailure {
  readonly block: number;
  readonly error: ConsensusError;
}

function collect<T>(
  transactions: readonly BatchTransaction[],
  pick: (transaction: PendingTransaction) => readonly T[],
): Owned<T>[] {
  return transactions.flatMap(({ transaction }, owner) =>
    pick(transaction).map((item) => ({ item, owner })),
  );
}

/** Range proofs are verified as one batch; when it fails, halving finds the first bad one. */
async function findBadRangeProof(
  pool: VerificationPool,
  proofs: readonly Owned<BulletproofPlusProof>[],
): Promise<Fault | undefined> {
  if (proofs.length === 0) return undefined;
  const [ok] = await pool.check({
    kind: 'bulletproof-plus',
    proofs: proofs.map(({ item }) => item),
  });
  if (ok === true) return undefined;
  const [first] = proofs;
  if (proofs.length === 1 && first !== undefined) {
    return { owner: first.owner, code: 'bad-range-proof' };
  }
  const half = proofs.length >> 1;
  return (
    (await findBadRangeProof(pool, proofs.slice(0, half))) ??
    (await findBadRangeProof(pool, proofs.slice(half)))
  );
}

/** Verifies items that get an answer each. */
async function findBad<T>(
  items: readonly Owned<T>[],
  code: ConsensusErrorCode,
  check: (items: T[]) => Promise<boolean[]>,
): Promise<Fault | undefined> {
  if (items.length === 0) return undefined;
  const answers = await check(items.map(({ item }) => item));
  const bad = items.find((_, i) => answers[i] !== true);
  return bad === undefined ? undefined : { owner: bad.owner, code };
}

/** Everything a batch still has to verify, by kind. */
function collectChecks(transactions: readonly BatchTransaction[]) {
  return {
    points: collect(transactions, ({ checks }) => checks.points),
    keyImages: collect(transactions, ({ checks }) => checks.keyImages),
    balances: collect<BalanceStatement>(transactions, ({ checks }) =>
      checks.balance === undefined ? [] : [checks.balance],
    ),
    rangeProofs: collect<BulletproofPlusProof>(transactions, ({ checks }) =>
      checks.rangeProof === undefined ? [] : [checks.rangeProof],
    ),
    clsags: collect<ClsagProof>(transactions, ({ ringSignatures }) => ringSignatures),
  };
}

/** Books the checks of transactions before position `end`, all of which passed. */
function count(
  checks: ReturnType<typeof collectChecks>,
  end: number,
  counters: VerificationCounters,
): void {
  const passed = (items: readonly Owned<unknown>[]) =>
    items.filter(({ owner }) => owner < end).length;
  counters.transactions += end;
  counters.outputKeys += passed(checks.points);
  counters.keyImages += passed(checks.keyImages);
  counters.balances += passed(checks.balances);
  counters.rangeProofs += passed(checks.rangeProofs);
  counters.clsags += passed(checks.clsags);
}

/**
 * Verifies all cryptography of a batch of transactions in parallel: output keys, key images,
 * balances, range proofs and ring signatures. Adds what passed to `counters`.
 *
 * @returns the failure of the earliest transaction that has one; all before it are good.
 */
export async function verifyProofs(
  pool: VerificationPool,
  transactions: readonly BatchTransaction[],
  counters: VerificationCounters,
): Promise<BatchFailure | undefined> {
  const checks = collectChecks(transactions);
  // Listed in the order in which the rules come, so that ties name the first rule broken.
  const faults = await Promise.all([
    findBad(checks.points, 'output-key', (points) => pool.check({ kind: 'points', points })),
    findBad(checks.keyImages, 'bad-key-image', (keyImages) =>
      pool.check({ kind: 'key-images', keyImages }),
    ),
    findBadRangeProof(pool, checks.rangeProofs),
    findBad(checks.balances, 'bad-balance', (statements) =>
      pool.check({ kind: 'balance', statements }),
    ),
    findBad(checks.clsags, 'bad-ring-signature', (proofs) => pool.check({ kind: 'clsag', proofs })),
  ]);
  const first = faults
    .filter((fault) => fault !== undefined)
    .reduce<Fault | undefined>((a, b) => (a === undefined || b.owner < a.owner ? b : a), undefined);
  const guilty = first === undefined ? undefined : transactions[first.owner];
  if (first === undefined || guilty === undefined) {
    count(checks, transactions.length, counters);
    return undefined;
  }
  // Blocks are taken whole: count only what belongs to the blocks before the guilty one.
  const end = transactions.findIndex(({ block }) => block === guilty.block);
  count(checks, end, counters);
  const { txId } = guilty.transaction;
  return { block: guilty.block, error: new ConsensusError(first.code, '', { txId }) };
}
