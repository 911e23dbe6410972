import type { ParsedTransaction } from '@monero-node/codec';
import type { CryptoBackend } from '@monero-node/crypto';
import type { Account, ViewAccount } from '../keys/account.ts';
import { ONE } from '../keys/points.ts';
import { SubaddressTable, type Lookahead } from '../keys/subaddress-table.ts';
import { checkCommitments, type HiddenAmount, hiddenAmount } from './amount.ts';
import {
  type CoinbaseScan,
  createTask,
  findOutputs,
  type FoundOutput,
  type ScanTask,
} from './find-outputs.ts';
import { outputKeyImages, outputScalar } from './output-secret.ts';
import { type PaymentId, readPaymentId } from './payment-id.ts';

/** An output of the account. */
export interface ScannedOutput extends FoundOutput {
  /** Atomic units, never 0. */
  readonly amount: bigint;
  /** The mask of the commitment, a scalar of 32 bytes; 1 for an amount in clear. */
  readonly mask: Uint8Array;
  /** Whether the output has an index among those of RingCT; otherwise among those of its amount. */
  readonly isRct: boolean;
  /** 32 bytes; absent without the secret spend key. */
  readonly keyImage?: Uint8Array | undefined;
}

/** The outputs of the account in a transaction. */
export interface ScannedTransaction {
  readonly transaction: ParsedTransaction;
  readonly isCoinbase: boolean;
  /** In the order of their positions. */
  readonly outputs: readonly ScannedOutput[];
  /** Only looked for in a transaction with outputs of the account. */
  readonly paymentId?: PaymentId | undefined;
}

export interface ScannerOptions {
  /** With the secret spend key the scanner computes key images. */
  readonly account: ViewAccount | Account;
  readonly backend: CryptoBackend;
  readonly lookahead?: Lookahead;
  /** `optimize-coinbase` by default. */
  readonly coinbase?: CoinbaseScan;
}

/** Finds the outputs of one account. */
export class Scanner {
  readonly subaddresses: SubaddressTable;
  readonly #options: ScannerOptions;

  /** Throws RangeError for a lookahead that is out of bounds, or keys that are no scalar or no point. */
  constructor(options: ScannerOptions) {
    this.#options = options;
    this.subaddresses = new SubaddressTable(options.account, options.backend, options.lookahead);
  }

  /**
   * Returns for each transaction, full or pruned, what it brings the account. Transactions are computed together: pass
   * those of many blocks at once, hundreds of them. Runs on the calling thread until it is done.
   * Source: process_new_transaction in src/wallet/wallet2.cpp.
   */
  scan(transactions: readonly ParsedTransaction[]): ScannedTransaction[] {
    const { account, backend, coinbase = 'optimize-coinbase' } = this.#options;
    const tasks = transactions.map(({ tx }) => createTask(tx));
    const { viewSecret } = account;
    findOutputs(tasks, { viewSecret, subaddresses: this.subaddresses, backend, coinbase });
    const owned = this.#withKeyImages(withAmounts(tasks, backend));
    return transactions.map((transaction, i) => {
      const { isCoinbase, keys } = tasks[i] as ScanTask;
      const outputs = owned[i] ?? [];
      const paymentId = outputs.length > 0 ? readPaymentId(keys, viewSecret, backend) : undefined;
      return { transaction, isCoinbase, outputs, paymentId };
    });
  }

  #withKeyImages(
    owned: readonly (readonly ScannedOutput[])[],
  ): readonly (readonly ScannedOutput[])[] {
    const { account, backend } = this.#options;
    if (!('spendSecret' in account)) return owned;
    const images = outputKeyImages(owned.flat(), account, backend);
    let next = 0;
    return owned.map((outputs) =>
      outputs.map((output) => ({ ...output, keyImage: images[next++] })),
    );
  }
}

/** Returns the outputs of each task with their amounts, without those whose amount is 0 or does not fit. */
function withAmounts(tasks: readonly ScanTask[], backend: CryptoBackend): ScannedOutput[][] {
  const hidden = new Map<FoundOutput, HiddenAmount>();
  for (const { tx, found, isCoinbase } of tasks) {
    for (const output of found.values()) {
      const isClear = isCoinbase || tx.outputs[output.index]?.amount !== 0n;
      if (isClear || tx.rct === undefined) continue;
      const scalar = outputScalar(output.derivation, output.index);
      const amount = hiddenAmount(tx.rct, output.index, scalar);
      if (amount !== undefined) hidden.set(output, amount);
    }
  }
  const fits = checkCommitments([...hidden.values()], backend);
  for (const [i, output] of [...hidden.keys()].entries()) {
    if (fits[i] !== true) hidden.delete(output);
  }
  return tasks.map((task) => {
    const found = [...task.found.values()].sort((a, b) => a.index - b.index);
    return found.flatMap((output) => ownedOutput(task, output, hidden));
  });
}

function ownedOutput(
  { tx, isCoinbase }: ScanTask,
  output: FoundOutput,
  hidden: ReadonlyMap<FoundOutput, HiddenAmount>,
): ScannedOutput[] {
  const clear = tx.outputs[output.index]?.amount ?? 0n;
  if (clear !== 0n) {
    const isRct = isCoinbase && tx.version === 2;
    return [{ ...output, amount: clear, mask: ONE, isRct }];
  }
  const opened = hidden.get(output);
  if (opened === undefined || opened.amount === 0n) return [];
  return [{ ...output, amount: opened.amount, mask: opened.mask, isRct: true }];
}
