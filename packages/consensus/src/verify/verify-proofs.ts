import { Yielder } from '@monero-node/base';
import {
  type AnyCheck,
  CheckPacker,
  countItems,
  type CryptoCheck,
  isCurvePoint,
  joinPacked,
  packed,
  type PackedCheck,
  sliceCheck,
  unpacked,
  type VerificationPool,
} from '@monero-node/crypto';
import { ConsensusError } from '../errors/consensus-error.ts';
import type { ConsensusErrorCode } from '../errors/error-codes.ts';
import type { RingSignatures } from '../inputs/ring-signatures.ts';
import { areSpendScalarsReduced } from '../inputs/spend-proofs.ts';
import type { RangeProofs } from '../transaction/proofs.ts';
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
  readonly checks: Omit<PendingChecks, 'rangeProofs'> & {
    /** In bytes when many transactions wait to be verified together. */
    readonly rangeProofs?: RangeProofs | PackedCheck | undefined;
  };
  /** In bytes when the range proofs are. */
  readonly ringSignatures: RingSignatures | PackedCheck;
  /** Of a miner transaction, which is not counted. False when absent. */
  readonly isMinerTx?: boolean;
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
/** Kinds of proofs that each get a result of their own. */
type SingleKind = 'borromean' | 'ring-signature' | 'mlsag' | 'clsag';
type ProofKind = BatchedKind | SingleKind;

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

/** The proofs of one kind, which stay bytes from the rules of their block to the threads. */
interface Proofs {
  readonly parts: readonly PackedCheck[];
  /** Of each proof. */
  readonly owners: readonly number[];
}

function proofsOf(transactions: readonly BatchTransaction[], kind: ProofKind): Proofs {
  const packer = new CheckPacker();
  const owners: number[] = [];
  const parts: PackedCheck[] = [];
  const add = (check: PendingProofs['ringSignatures'] | RangeProofs, owner: number): void => {
    const part = packed(check, packer);
    parts.push(part);
    for (let i = countItems(part); i > 0; i--) owners.push(owner);
  };
  for (const [owner, { transaction }] of transactions.entries()) {
    const { checks, ringSignatures } = transaction;
    if (checks.rangeProofs?.kind === kind) add(checks.rangeProofs, owner);
    if (ringSignatures.kind === kind) add(ringSignatures, owner);
  }
  return { parts, owners };
}

/** Returns the rule that a proof breaks which is alone in a check. */
type CodeOf = (check: AnyCheck) => ConsensusErrorCode;

/** Verifies proofs as one batch; when it fails, bisects to find the first bad one. */
async function findBadInBatch(
  pool: VerificationPool,
  check: AnyCheck,
  owners: readonly number[],
  codeOf: CodeOf,
): Promise<Fault | undefined> {
  const [owner] = owners;
  if (owner === undefined) return undefined;
  const [ok] = await pool.check(check);
  if (ok === true) return undefined;
  const count = owners.length;
  if (count === 1) return { owner, code: codeOf(check) };
  const half = count >> 1;
  const [first, second] = [sliceCheck(check, 0, half), sliceCheck(check, half, count)];
  const bad =
    (await findBadInBatch(pool, first, owners.slice(0, half), codeOf)) ??
    (await findBadInBatch(pool, second, owners.slice(half), codeOf));
  if (bad === undefined) pool.refusedWrongly?.(check);
  return bad;
}

function batched(
  transactions: readonly BatchTransaction[],
  kind: BatchedKind,
  codeOf: CodeOf = () => PROOFS[kind].code,
): KindOfCheck {
  const { parts, owners } = proofsOf(transactions, kind);
  const findBad = async (pool: VerificationPool): Promise<Fault | undefined> =>
    owners.length === 0
      ? undefined
      : findBadInBatch(pool, await joinPacked(kind, parts), owners, codeOf);
  return { counter: PROOFS[kind].counter, owners, findBad };
}

/** Returns the check of proofs that each get a result of their own. */
function singly(transactions: readonly BatchTransaction[], kind: SingleKind): KindOfCheck {
  const { counter, code } = PROOFS[kind];
  const { parts, owners } = proofsOf(transactions, kind);
  const findBad = async (pool: VerificationPool): Promise<Fault | undefined> => {
    if (owners.length === 0) return undefined;
    const answers = await pool.check(await joinPacked(kind, parts));
    const owner = owners.find((_, i) => answers[i] !== true);
    return owner === undefined ? undefined : { owner, code };
  };
  return { counter, owners, findBad };
}

interface ItemRules<T> {
  /** Absent for what is not counted. */
  readonly counter: keyof ProofCounters | undefined;
  /** Returns the items of a transaction. */
  readonly pick: (transaction: PendingProofs) => readonly T[];
  /** Returns the rule that a bad one breaks. */
  readonly codeOf: (item: T) => ConsensusErrorCode;
  readonly toCheck: (items: readonly T[]) => CryptoCheck;
}

/** Returns the check of small items, such as keys, that each get a result of their own. */
function items<T>(
  transactions: readonly BatchTransaction[],
  { counter, pick, codeOf, toCheck }: ItemRules<T>,
): KindOfCheck {
  const found: T[] = [];
  const owners: number[] = [];
  for (const [owner, { transaction }] of transactions.entries()) {
    for (const item of pick(transaction)) {
      found.push(item);
      owners.push(owner);
    }
  }
  const findBad = async (pool: VerificationPool): Promise<Fault | undefined> => {
    if (found.length === 0) return undefined;
    const answers = await pool.check(toCheck(found));
    for (const [i, item] of found.entries())
      if (answers[i] !== true) return { owner: owners[i] as number, code: codeOf(item) };
    return undefined;
  };
  return { counter, owners, findBad };
}

/** Returns the rule that a membership proof breaks. */
function codeOfMembership(check: AnyCheck): ConsensusErrorCode {
  const objects = unpacked(check);
  const isReduced =
    objects.kind === 'fcmp-plus-plus' && objects.proofs.every(areSpendScalarsReduced);
  return isReduced ? PROOFS['fcmp-plus-plus'].code : 'spend-proof-encoding';
}

/**
 * The kinds of checks, in the order of the rules: when a transaction breaks several, the first is reported. Each
 * entry collects the checks of its kind from the transactions of a batch.
 */
const COLLECTORS: readonly ((transactions: readonly BatchTransaction[]) => KindOfCheck)[] = [
  (transactions) =>
    items(transactions, {
      counter: 'outputKeys',
      pick: ({ checks }) => checks.points,
      codeOf: () => 'output-key',
      toCheck: (points) => ({ kind: 'points', points }),
    }),
  (transactions) =>
    items(transactions, {
      counter: 'keyImages',
      pick: ({ checks }) => checks.keyImages,
      codeOf: (keyImage) => (isCurvePoint(keyImage) ? 'bad-key-image' : 'key-image-encoding'),
      toCheck: (keyImages) => ({ kind: 'key-images', keyImages }),
    }),
  (transactions) => singly(transactions, 'borromean'),
  (transactions) => batched(transactions, 'bulletproof'),
  (transactions) => batched(transactions, 'bulletproof-plus'),
  (transactions) =>
    items(transactions, {
      counter: 'balances',
      pick: ({ checks: { balance } }) => (balance === undefined ? [] : [balance]),
      codeOf: () => 'bad-balance',
      toCheck: (statements) => ({ kind: 'balance', statements }),
    }),
  (transactions) =>
    items(transactions, {
      // The keys among them are counted above.
      counter: undefined,
      pick: ({ checks }) => checks.torsionFree ?? [],
      codeOf: () => 'torsioned-output',
      // The rule is that of key images: a canonical point of the prime-order subgroup, not the identity.
      toCheck: (points) => ({ kind: 'key-images', keyImages: points }),
    }),
  (transactions) => singly(transactions, 'ring-signature'),
  (transactions) => singly(transactions, 'mlsag'),
  (transactions) => singly(transactions, 'clsag'),
  (transactions) => batched(transactions, 'fcmp-plus-plus', codeOfMembership),
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
