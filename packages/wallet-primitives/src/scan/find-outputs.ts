import { outputKey, type Transaction } from '@monero-node/codec';
import type { CryptoBackend, OutputCandidate } from '@monero-node/crypto';
import { IDENTITY } from '../keys/points.ts';
import type { SubaddressIndex } from '../keys/subaddress.ts';
import type { SubaddressTable } from '../keys/subaddress-table.ts';
import { type TransactionKeys, transactionKeys } from './transaction-keys.ts';

/** Which outputs of coinbase transactions are looked at, as monerod's wallets name it. */
export type CoinbaseScan =
  /** All. */
  | 'full'
  /** All; of version 1 only if the first one belongs to the account. The wallets' default. */
  | 'optimize-coinbase'
  /** None. */
  | 'no-coinbase';

/** An output of the account, before its amount is known. */
export interface FoundOutput {
  /** Position in the transaction. */
  readonly index: number;
  /** One-time key, 32 bytes. */
  readonly key: Uint8Array;
  readonly subaddress: SubaddressIndex;
  /** 8·a·R, 32 bytes. */
  readonly derivation: Uint8Array;
  /** Which of the transaction's public keys R is; with additional keys it may be the output's own. */
  readonly publicKey: number | 'additional';
}

/** One transaction and the outputs found in it. */
export interface ScanTask {
  readonly tx: Transaction;
  readonly isCoinbase: boolean;
  readonly keys: TransactionKeys;
  /** By position, in the order of discovery. */
  readonly found: Map<number, FoundOutput>;
}

export interface FindOptions {
  readonly viewSecret: Uint8Array;
  readonly subaddresses: SubaddressTable;
  readonly backend: CryptoBackend;
  readonly coinbase: CoinbaseScan;
}

/** A possible owner of an output: a candidate for the backend and what becomes of it. */
interface Attempt {
  readonly task: ScanTask;
  readonly publicKey: FoundOutput['publicKey'];
  readonly candidate: OutputCandidate;
}

/** Outputs of a task to look at, from one position up to, but not including, another. */
interface Range {
  readonly task: ScanTask;
  readonly from: number;
  readonly to: number;
}

/** Returns the task of a transaction, in which nothing was found yet. */
export function createTask(tx: Transaction): ScanTask {
  const isCoinbase = tx.inputs.length === 1 && tx.inputs[0]?.kind === 'gen';
  return { tx, isCoinbase, keys: transactionKeys(tx), found: new Map() };
}

/**
 * Adds to each task the outputs that belong to the account. Of several public keys
 * the first that fits an output counts; additional keys are tried with the first. A public key that is not a point
 * counts as the derivation that is the identity. Source: process_new_transaction in src/wallet/wallet2.cpp,
 * is_out_to_acc_precomp in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function findOutputs(tasks: readonly ScanTask[], options: FindOptions): void {
  const wanted = tasks.filter((task) => !(task.isCoinbase && options.coinbase === 'no-coinbase'));
  const most = wanted.reduce((max, { keys }) => Math.max(max, keys.publicKeys.length), 0);
  for (let pass = 0; pass < most; pass++) {
    const ranges = wanted
      .filter(({ keys }) => pass < keys.publicKeys.length)
      .map((task) => ({ task, from: 0, to: task.tx.outputs.length }));
    const isGuess = ({ task }: Range) =>
      options.coinbase === 'optimize-coinbase' && task.isCoinbase && task.tx.version < 2;
    runPass(
      pass,
      ranges.map((range) => (isGuess(range) ? { ...range, to: Math.min(1, range.to) } : range)),
      options,
    );
    const paysUs = ({ task }: Range) => task.found.has(0);
    const rest = ranges.filter((range) => isGuess(range) && paysUs(range));
    if (rest.length > 0)
      runPass(
        pass,
        rest.map((range) => ({ ...range, from: 1 })),
        options,
      );
  }
}

/** Looks at outputs with public key number `pass` of their transactions. */
function runPass(pass: number, ranges: readonly Range[], options: FindOptions): void {
  const { backend, subaddresses } = options;
  const attempts = attemptsOf(pass, ranges, options);
  const spendKeys = backend.spendKeys(attempts.map(({ candidate }) => candidate));
  for (const [i, { task, publicKey, candidate }] of attempts.entries()) {
    const spendKey = spendKeys[i];
    const subaddress = spendKey && subaddresses.find(spendKey);
    if (subaddress === undefined) continue;
    const { index, key, derivation } = candidate;
    if (task.found.has(index)) continue;
    task.found.set(index, { index, key, derivation, subaddress, publicKey });
    subaddresses.use(subaddress);
  }
}

/** Returns the derivations of some public keys; the identity for one that is not a point. */
function derivationsOf(
  keys: readonly Uint8Array[],
  { backend, viewSecret }: FindOptions,
): readonly Uint8Array[] {
  return backend.keyDerivations(viewSecret, keys).map((derivation) => derivation ?? IDENTITY);
}

function attemptsOf(
  pass: number,
  ranges: readonly Range[],
  options: FindOptions,
): readonly Attempt[] {
  const additionalKeys = ({ keys }: ScanTask) => (pass === 0 ? keys.additionalKeys : []);
  const shared = derivationsOf(
    ranges.map(({ task }) => task.keys.publicKeys[pass] as Uint8Array),
    options,
  );
  const additional = derivationsOf(
    ranges.flatMap(({ task, from, to }) => additionalKeys(task).slice(from, to)),
    options,
  );
  let next = 0;
  return ranges.flatMap(({ task, from, to }, i) => {
    const derivation = shared[i] as Uint8Array;
    const own = additionalKeys(task).slice(from, to).length;
    const first = next;
    next += own;
    const attempts: Attempt[] = [];
    for (let index = from; index < to; index++) {
      const output = outputOf(task, index);
      if (output === undefined) continue;
      attempts.push({ task, publicKey: pass, candidate: { ...output, derivation } });
      if (index - from >= own) continue;
      const ownDerivation = additional[first + index - from] as Uint8Array;
      const candidate = { ...output, derivation: ownDerivation };
      attempts.push({ task, publicKey: 'additional', candidate });
    }
    return attempts;
  });
}

/** Returns what of an output concerns its owner; undefined for a target without a key and for one that was found. */
function outputOf(
  { tx, found }: ScanTask,
  index: number,
): Omit<OutputCandidate, 'derivation'> | undefined {
  const target = tx.outputs[index]?.target;
  const key = target && outputKey(target);
  if (target === undefined || key === undefined) return undefined;
  if (found.has(index)) return undefined;
  return { index, key, viewTag: target.kind === 'tagged-key' ? target.viewTag : undefined };
}
