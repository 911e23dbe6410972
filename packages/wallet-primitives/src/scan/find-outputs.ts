import { type TransactionOutline, type TxTarget } from '@monero-node/codec';
import {
  type BatchedOutput,
  type CryptoBackend,
  OutputBatch,
  type OutputMatch,
} from '@monero-node/crypto';
import type { SubaddressIndex } from '../keys/subaddress.ts';
import type { SubaddressTable } from '../keys/subaddress-table.ts';
import { type TransactionKeys, transactionKeys } from './transaction-keys.ts';

/** The values of {@link CoinbaseScan}, as monerod's wallets name them. */
export const COINBASE_SCANS = ['full', 'optimize-coinbase', 'no-coinbase'] as const;
/**
 * Which outputs of coinbase transactions are looked at: all (`full`), none (`no-coinbase`), or all but those of version 1 whose first
 * output is not the account's (`optimize-coinbase`, the default of monerod's wallets).
 */
export type CoinbaseScan = (typeof COINBASE_SCANS)[number];

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
  readonly outline: TransactionOutline;
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

/** Outputs that are computed together. */
const MOST_OUTPUTS = 8192;

/**
 * Returns the one-time key (32 bytes) of an output made by the rules before Carrot; undefined for another one. No wallet finds an output
 * by those rules in a Carrot target: its key image is another one.
 */
export function oldOutputKey(target: TxTarget): Uint8Array | undefined {
  return target.kind === 'key' || target.kind === 'tagged-key' ? target.key : undefined;
}

/** Returns the task of a transaction, in which nothing was found yet. */
export function createTask(outline: TransactionOutline): ScanTask {
  return { outline, keys: transactionKeys(outline), found: new Map() };
}

/**
 * Adds to each task the outputs that belong to the account. Of several public keys the first that fits an output counts;
 * additional keys are tried with the first. A public key that is not a point counts as the derivation that is the identity.
 * An output that is found extends the table of addresses for all that come after it, in the order of the tasks; wallet2
 * extends it after the outputs of a pass, and for good amounts only, so it may find less.
 * Source: process_new_transaction in src/wallet/wallet2.cpp, is_out_to_acc_precomp in
 * src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function findOutputs(tasks: readonly ScanTask[], options: FindOptions): void {
  const finder = new OutputFinder(options);
  for (const task of tasks) {
    const { isCoinbase, version, outputs } = task.outline;
    if (isCoinbase && options.coinbase === 'no-coinbase') continue;
    const isGuess = isCoinbase && version === 1 && options.coinbase === 'optimize-coinbase';
    for (let pass = 0; pass < task.keys.publicKeys.length; pass++) {
      finder.look({
        task,
        pass,
        from: 0,
        to: isGuess ? Math.min(1, outputs.length) : outputs.length,
      });
    }
  }
  finder.finish();
}

/** Outputs of a task to try with public key number `pass`, from one position up to, but not including, another. */
interface Range {
  readonly task: ScanTask;
  readonly pass: number;
  readonly from: number;
  readonly to: number;
}

/** Collects outputs, has them computed many at a time, and keeps those that belong to the account. */
class OutputFinder {
  readonly #options: FindOptions;
  #batch = new OutputBatch();
  /** For each output of the batch, its range, its position and whether the key is an additional one. */
  #ranges: Range[] = [];
  #positions: number[] = [];
  #areAdditional: boolean[] = [];

  constructor(options: FindOptions) {
    this.#options = options;
  }

  /** Takes up the outputs of a range. */
  look(range: Range): void {
    const { task, pass, from, to } = range;
    const { publicKeys, additionalKeys } = task.keys;
    const shared = publicKeys[pass] as Uint8Array;
    let place: number | undefined;
    for (let index = from; index < to; index++) {
      const target = task.outline.outputs[index]?.target;
      const key = target && oldOutputKey(target);
      if (target === undefined || key === undefined) continue;
      if (this.#batch.size >= MOST_OUTPUTS) {
        this.finish();
        place = undefined;
      }
      const viewTag = target.kind === 'tagged-key' ? target.viewTag : undefined;
      place ??= this.#batch.addPublicKey(shared);
      this.#add(range, { publicKey: place, index, key, viewTag }, false);
      const own = pass === 0 ? additionalKeys[index] : undefined;
      if (own === undefined) continue;
      const publicKey = this.#batch.addPublicKey(own);
      this.#add(range, { publicKey, index, key, viewTag }, true);
    }
  }

  #add(range: Range, output: BatchedOutput, isAdditional: boolean): void {
    this.#batch.add(output);
    this.#ranges.push(range);
    this.#positions.push(output.index);
    this.#areAdditional.push(isAdditional);
  }

  /** Computes what was taken up. */
  finish(): void {
    const { backend, viewSecret } = this.#options;
    const matches = backend.findSpendKeys(viewSecret, this.#batch);
    for (const match of matches) this.#judge(match);
    this.#batch = new OutputBatch();
    this.#ranges = [];
    this.#positions = [];
    this.#areAdditional = [];
  }

  /** Keeps an output if its spend key is that of an address. */
  #judge({ output, derivation, spendKey }: OutputMatch): void {
    const range = this.#ranges[output] as Range;
    const index = this.#positions[output] as number;
    const { task, pass } = range;
    if (task.found.has(index)) return;
    const { subaddresses } = this.#options;
    const subaddress = subaddresses.find(spendKey);
    if (subaddress === undefined) return;
    const target = task.outline.outputs[index]?.target;
    const key = (target && oldOutputKey(target)) as Uint8Array;
    const publicKey = this.#areAdditional[output] === true ? 'additional' : pass;
    task.found.set(index, { index, key, derivation, subaddress, publicKey });
    subaddresses.use(subaddress);
    const { length } = task.outline.outputs;
    if (range.to === length) return;
    // The guess was right: the rest of the coinbase is tried at once, with this public key and not with others.
    const rest = new OutputFinder(this.#options);
    rest.look({ task, pass, from: range.to, to: length });
    rest.finish();
  }
}
