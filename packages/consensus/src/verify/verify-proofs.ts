import { Yielder } from '@monero-node/base';
import {
  CheckPacker,
  countItems,
  type CryptoCheck,
  isCurvePoint,
  joinPacked,
  packed,
  type PackedCheck,
  unpacked,
  type VerificationPool,
} from '@monero-node/crypto';
import { ConsensusError } from '../errors/consensus-error.ts';
import type { ConsensusErrorCode } from '../errors/error-codes.ts';
import type { RingSignatures } from '../inputs/ring-signatures.ts';
import { areSpendScalarsReduced } from '../inputs/spend-proofs.ts';
import type { PendingChecks } from '../transaction/transaction.ts';

/** Checks of transactions that were carried out and passed. */
export interface ProofCounters {
  transactions: number;
  outputKeys: number;
  keyImages: number;
  balances: number;
  /** Borromean range proofs: RingCT types 1 and 2, one per output. */
  borromeans: number;
  /** Bulletproofs: RingCT types 3 to 5. */
  bulletproofs: number;
  /** Bulletproofs+: RingCT type 6. */
  rangeProofs: number;
  /** Ring signatures of version 1 transactions, one per input. */
  ringSignatures: number;
  /** RingCT types 1 to 4. */
  mlsags: number;
  /** RingCT types 5 and 6. */
  clsags: number;
  /** FCMP++ proofs: RingCT type 7, one for all inputs. */
  membershipProofs: number;
}

/** The proofs of a transaction that are left to verify once its context is known to be right. */
export interface PendingProofs {
  /** Hex. */
  readonly txId: string;
  readonly checks: PendingChecks;
  /** In bytes when many transactions wait to be verified together. */
  readonly ringSignatures: RingSignatures | PackedCheck;
  /** Of a miner transaction, which is not counted. False when absent. */
  readonly isMinerTx?: boolean;
}

/** An item to verify, and the position of the transaction it belongs to. */
interface Owned<T> {
  readonly item: T;
  readonly owner: number;
}

/** The first transaction (by position) that fails, and the rule it breaks. */
interface Fault {
  readonly owner: number;
  readonly code: ConsensusErrorCode;
}

/** A transaction of a batch, with the block it is in. */
export interface BatchTransaction {
  /** Position of its block in the batch. */
  readonly block: number;
  readonly transaction: PendingProofs;
}

/** Why a batch failed: the position of the first bad block and the error. */
export interface BatchFailure {
  readonly block: number;
  readonly error: ConsensusError;
}

/** All checks of one kind of a batch, however many transactions they come from. */
interface KindOfCheck {
  /** Absent for what is not counted. */
  readonly counter: keyof ProofCounters | undefined;
  readonly owners: readonly number[];
  findBad(pool: VerificationPool): Promise<Fault | undefined>;
}

/** Kinds of proofs that are verified together, with one result for all. */
type BatchedKind = 'bulletproof' | 'bulletproof-plus' | 'fcmp-plus-plus';
type RangeKind = 'bulletproof' | 'bulletproof-plus' | 'borromean';
type SignatureKind = 'ring-signature' | 'mlsag' | 'clsag';
type ProofKind = Extract<CryptoCheck, { proofs: unknown }>['kind'];
type ProofOf<K extends ProofKind> = Extract<CryptoCheck, { kind: K }>['proofs'][number];

/** The counter of each kind of proof, and the rule that an invalid one breaks. */
const PROOFS: Readonly<
  Record<ProofKind, { counter: keyof ProofCounters; code: ConsensusErrorCode }>
> = {
  borromean: { counter: 'borromeans', code: 'bad-range-proof' },
  bulletproof: { counter: 'bulletproofs', code: 'bad-range-proof' },
  'bulletproof-plus': { counter: 'rangeProofs', code: 'bad-range-proof' },
  'ring-signature': { counter: 'ringSignatures', code: 'bad-ring-signature' },
  mlsag: { counter: 'mlsags', code: 'bad-ring-signature' },
  clsag: { counter: 'clsags', code: 'bad-ring-signature' },
  'fcmp-plus-plus': { counter: 'membershipProofs', code: 'bad-membership-proof' },
};

function collect<T>(
  transactions: readonly BatchTransaction[],
  pick: (transaction: PendingProofs) => readonly T[],
): Owned<T>[] {
  return transactions.flatMap(({ transaction }, owner) =>
    pick(transaction).map((item) => ({ item, owner })),
  );
}

/** Returns the range proofs of one kind. */
function rangeProofsOf<K extends RangeKind>(
  transactions: readonly BatchTransaction[],
  kind: K,
): Owned<ProofOf<K>>[] {
  return collect(transactions, ({ checks: { rangeProofs } }) =>
    rangeProofs?.kind === kind ? (rangeProofs.proofs as readonly ProofOf<K>[]) : [],
  );
}

/** Returns the FCMP++ proofs. */
function membershipProofsOf(
  transactions: readonly BatchTransaction[],
): Owned<ProofOf<'fcmp-plus-plus'>>[] {
  return collect(transactions, ({ ringSignatures }) => {
    if (ringSignatures.kind !== 'fcmp-plus-plus') return [];
    const check = unpacked(ringSignatures);
    return check.kind === 'fcmp-plus-plus' ? check.proofs : [];
  });
}

/** Verifies proofs as one batch; when it fails, bisects to find the first bad one. `codeOf` returns the rule that it breaks. */
async function findBadInBatch<K extends BatchedKind>(
  pool: VerificationPool,
  kind: K,
  proofs: readonly Owned<ProofOf<K>>[],
  codeOf: (proof: ProofOf<K>) => ConsensusErrorCode,
): Promise<Fault | undefined> {
  const [first] = proofs;
  if (first === undefined) return undefined;
  const check = { kind, proofs: proofs.map(({ item }) => item) } as CryptoCheck;
  const [ok] = await pool.check(check);
  if (ok === true) return undefined;
  if (proofs.length === 1) return { owner: first.owner, code: codeOf(first.item) };
  const half = proofs.length >> 1;
  const bad =
    (await findBadInBatch(pool, kind, proofs.slice(0, half), codeOf)) ??
    (await findBadInBatch(pool, kind, proofs.slice(half), codeOf));
  if (bad === undefined) pool.refusedWrongly?.(check);
  return bad;
}

function batched<K extends BatchedKind>(
  kind: K,
  proofs: readonly Owned<ProofOf<K>>[],
  codeOf: (proof: ProofOf<K>) => ConsensusErrorCode = () => PROOFS[kind].code,
): KindOfCheck {
  return {
    counter: PROOFS[kind].counter,
    owners: proofs.map(({ owner }) => owner),
    findBad: (pool) => findBadInBatch(pool, kind, proofs, codeOf),
  };
}

/** Returns the check of items that each get a result of their own. `codeOf` returns the rule that a bad one breaks. */
function single<T>(
  items: readonly Owned<T>[],
  counter: keyof ProofCounters | undefined,
  codeOf: (item: T) => ConsensusErrorCode,
  toCheck: (items: T[]) => CryptoCheck,
): KindOfCheck {
  const findBad = async (pool: VerificationPool): Promise<Fault | undefined> => {
    if (items.length === 0) return undefined;
    const answers = await pool.check(toCheck(items.map(({ item }) => item)));
    const bad = items.find((_, i) => answers[i] !== true);
    return bad && { owner: bad.owner, code: codeOf(bad.item) };
  };
  return { counter, owners: items.map(({ owner }) => owner), findBad };
}

/** Returns the check of the ring signatures of one kind, which stay bytes from the rules of their block to the threads. */
function signatures(transactions: readonly BatchTransaction[], kind: SignatureKind): KindOfCheck {
  const { counter, code } = PROOFS[kind];
  const packer = new CheckPacker();
  const owners: number[] = [];
  const parts: PackedCheck[] = [];
  for (const [owner, { transaction }] of transactions.entries()) {
    if (transaction.ringSignatures.kind !== kind) continue;
    const part = packed(transaction.ringSignatures, packer);
    parts.push(part);
    for (let i = countItems(part); i > 0; i--) owners.push(owner);
  }
  const findBad = async (pool: VerificationPool): Promise<Fault | undefined> => {
    if (owners.length === 0) return undefined;
    const answers = await pool.check(await joinPacked(kind, parts));
    const owner = owners.find((_, i) => answers[i] !== true);
    return owner === undefined ? undefined : { owner, code };
  };
  return { counter, owners, findBad };
}

/**
 * The kinds of checks, in the order of the rules: when a transaction breaks several, the first is reported. Each
 * entry collects the checks of its kind from the transactions of a batch.
 */
const COLLECTORS: readonly ((transactions: readonly BatchTransaction[]) => KindOfCheck)[] = [
  (transactions) =>
    single(
      collect(transactions, ({ checks }) => checks.points),
      'outputKeys',
      () => 'output-key',
      (points) => ({ kind: 'points', points }),
    ),
  (transactions) =>
    single(
      collect(transactions, ({ checks }) => checks.keyImages),
      'keyImages',
      (keyImage) => (isCurvePoint(keyImage) ? 'bad-key-image' : 'key-image-encoding'),
      (keyImages) => ({ kind: 'key-images', keyImages }),
    ),
  (transactions) =>
    single(
      rangeProofsOf(transactions, 'borromean'),
      'borromeans',
      () => 'bad-range-proof',
      (proofs) => ({ kind: 'borromean', proofs }),
    ),
  (transactions) => batched('bulletproof', rangeProofsOf(transactions, 'bulletproof')),
  (transactions) => batched('bulletproof-plus', rangeProofsOf(transactions, 'bulletproof-plus')),
  (transactions) =>
    single(
      collect(transactions, ({ checks: { balance } }) => (balance === undefined ? [] : [balance])),
      'balances',
      () => 'bad-balance',
      (statements) => ({ kind: 'balance', statements }),
    ),
  (transactions) =>
    single(
      collect(transactions, ({ checks }) => checks.torsionFree ?? []),
      // The keys among them are counted above.
      undefined,
      () => 'torsioned-output',
      // The rule is that of key images: a canonical point of the prime-order subgroup, not the identity.
      (points) => ({ kind: 'key-images', keyImages: points }),
    ),
  (transactions) => signatures(transactions, 'ring-signature'),
  (transactions) => signatures(transactions, 'mlsag'),
  (transactions) => signatures(transactions, 'clsag'),
  (transactions) =>
    batched('fcmp-plus-plus', membershipProofsOf(transactions), (proof) =>
      areSpendScalarsReduced(proof) ? PROOFS['fcmp-plus-plus'].code : 'spend-proof-encoding',
    ),
];

/** Collects the checks of all kinds, in slices: a batch has up to tens of thousands of transactions. */
async function collectChecks(transactions: readonly BatchTransaction[]): Promise<KindOfCheck[]> {
  const yielder = new Yielder();
  const checks: KindOfCheck[] = [];
  for (const collectKind of COLLECTORS) {
    checks.push(collectKind(transactions));
    await yielder.yieldIfDue();
  }
  return checks;
}

/** Runs all checks in parallel. They are started in slices, because cutting a long check into jobs takes time. */
async function runChecks(
  checks: readonly KindOfCheck[],
  pool: VerificationPool,
): Promise<(Fault | undefined)[]> {
  const yielder = new Yielder();
  const running: Promise<Fault | undefined>[] = [];
  for (const check of checks) {
    const result = check.findBad(pool);
    // A check may fail before all are started; its error is thrown below.
    result.catch(() => undefined);
    running.push(result);
    await yielder.yieldIfDue();
  }
  return Promise.all(running);
}

/** Counts transactions, and those of the checks that belong to them. All of them passed. */
function count(
  transactions: readonly BatchTransaction[],
  checks: readonly KindOfCheck[],
  counters: ProofCounters | undefined,
): void {
  if (counters === undefined) return;
  counters.transactions += transactions.filter(({ transaction }) => !transaction.isMinerTx).length;
  for (const { counter, owners } of checks) {
    if (counter === undefined) continue;
    counters[counter] += owners.filter((owner) => owner < transactions.length).length;
  }
}

/**
 * Verifies all cryptography of a batch of transactions in parallel: output keys, key images,
 * balances, range proofs and ring signatures of every kind. Adds the checks that passed to `counters`.
 *
 * Rejects with VerificationPoolError when the pool fails.
 *
 * Source: ver_non_input_consensus in src/cryptonote_core/tx_verification_utils.cpp, and check_tx_inputs in
 * src/cryptonote_core/blockchain.cpp.
 *
 * @returns the failure of the first bad transaction; all before it are valid
 */
export async function verifyProofs(
  pool: VerificationPool,
  transactions: readonly BatchTransaction[],
  counters?: ProofCounters,
): Promise<BatchFailure | undefined> {
  const checks = await collectChecks(transactions);
  const faults = await runChecks(checks, pool);
  const first = faults
    .filter((fault) => fault !== undefined)
    .reduce<Fault | undefined>((a, b) => (a === undefined || b.owner < a.owner ? b : a), undefined);
  const failing = first === undefined ? undefined : transactions[first.owner];
  if (first === undefined || failing === undefined) {
    count(transactions, checks, counters);
    return undefined;
  }
  // Blocks are counted whole: only those before the failing one.
  const end = transactions.findIndex(({ block }) => block === failing.block);
  count(transactions.slice(0, end), checks, counters);
  const { txId } = failing.transaction;
  return { block: failing.block, error: new ConsensusError(first.code, '', { txId }) };
}
