import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { ParsedTransaction } from '@monero-node/codec';
import type { CryptoBackend } from '@monero-node/crypto';
import type { Account, ViewAccount } from '../keys/account.ts';
import { ONE } from '../keys/points.ts';
import { LOOKAHEAD, SubaddressTable, type Lookahead } from '../keys/subaddress-table.ts';
import { checkCommitments, type HiddenAmount, hiddenAmount } from './amount.ts';
import { blockSources, outlineOf, type ScanSource, type ScannableBlock } from './scan-source.ts';
import {
  COINBASE_SCANS,
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
  /**
   * How far ahead of the last used address outputs are recognized; 50 accounts of 200 addresses by default, as monerod's wallets. An
   * account without subaddresses needs one of each: `{ accounts: 1, addresses: 1 }`.
   */
  readonly lookahead?: Lookahead;
  /** A table of the same account, which other scanners may use too, instead of one of its own. It has the lookahead. */
  readonly subaddresses?: SubaddressTable;
  /** `optimize-coinbase` by default. */
  readonly coinbase?: CoinbaseScan;
}

const SCANNER_OPTIONS: OptionTable<ScannerOptions> = {
  account: NEEDED,
  backend: NEEDED,
  lookahead: { optional: true, table: LOOKAHEAD },
  subaddresses: OPTIONAL,
  coinbase: { optional: true, choices: COINBASE_SCANS },
};

/** A transaction with outputs of the account, among the blocks that were scanned. */
export interface BlockScanResult extends ScannedTransaction {
  /** The position of its block in the list. */
  readonly blockIndex: number;
  /** Its position in the block: 0 for the coinbase, then the others in order. */
  readonly transactionIndex: number;
}

/**
 * Finds the outputs of one account. The addresses are computed at the first scan, or before it by `subaddresses.prepare()`, in steps.
 */
export class Scanner {
  /** The addresses whose outputs are found. */
  readonly subaddresses: SubaddressTable;
  readonly #options: ScannerOptions;

  /**
   * Throws RangeError for a lookahead that is out of bounds or beside a table, a table of another account, or keys that are no scalar
   * or no point, and OptionError for an unknown option.
   */
  constructor(options: ScannerOptions) {
    checkOptions('Scanner', options, SCANNER_OPTIONS);
    this.#options = options;
    const { account, backend, lookahead, subaddresses } = options;
    if (subaddresses !== undefined && lookahead !== undefined) {
      throw new RangeError('a table of addresses has a lookahead of its own');
    }
    if (subaddresses?.isOf(account) === false) {
      throw new RangeError('the table of addresses belongs to another account');
    }
    this.subaddresses = subaddresses ?? new SubaddressTable(account, backend, lookahead);
  }

  /**
   * Returns for each transaction, full or pruned, what it brings the account. Transactions are computed together: pass
   * those of many blocks at once, hundreds of them. Runs on the calling thread until it is done.
   * Source: process_new_transaction in src/wallet/wallet2.cpp.
   */
  scan(transactions: readonly ParsedTransaction[]): ScannedTransaction[] {
    const sources = transactions.map((transaction): ScanSource => {
      return { outline: outlineOf(transaction), parse: () => transaction };
    });
    const found = this.#find(sources);
    return transactions.map((transaction, i) => {
      const source = sources[i] as ScanSource;
      const { isCoinbase } = source.outline;
      return found.get(source) ?? { transaction, isCoinbase, outputs: [] };
    });
  }

  /**
   * Returns the transactions of blocks that bring the account something, in order. This is the fastest way through a chain: of a
   * transaction that brings nothing only outputs and extra are read. Pass the blocks of a whole answer of `/get_blocks.bin` at once.
   * Runs on the calling thread until it is done.
   * Throws DecodeError when a part that is read is malformed.
   */
  scanBlocks(blocks: readonly ScannableBlock[]): BlockScanResult[] {
    const sources = blocks.flatMap(blockSources);
    return [...this.#find(sources)].map(([{ blockIndex, transactionIndex }, result]) => {
      return { ...result, blockIndex, transactionIndex };
    });
  }

  /** Returns what sources bring, for those that bring something, in their order. */
  #find<Source extends ScanSource>(sources: readonly Source[]): Map<Source, ScannedTransaction> {
    const { account, backend, coinbase = 'optimize-coinbase' } = this.#options;
    const { viewSecret } = account;
    const tasks = sources.map(({ outline }) => createTask(outline));
    findOutputs(tasks, { viewSecret, subaddresses: this.subaddresses, backend, coinbase });
    const paid = tasks.flatMap((task, i) => {
      if (task.found.size === 0) return [];
      const source = sources[i] as Source;
      return [{ task, source, transaction: source.parse() }];
    });
    const owned = this.#withKeyImages(withAmounts(paid, backend));
    const results = new Map<Source, ScannedTransaction>();
    for (const [i, { task, source, transaction }] of paid.entries()) {
      const outputs = owned[i] ?? [];
      if (outputs.length === 0) continue;
      const { isCoinbase } = task.outline;
      const paymentId = readPaymentId(task, viewSecret, backend);
      results.set(source, { transaction, isCoinbase, outputs, paymentId });
    }
    return results;
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

interface PaidTask {
  readonly task: ScanTask;
  readonly transaction: ParsedTransaction;
}

/** Returns the outputs of each task with their amounts, without those whose amount is 0 or does not fit. */
function withAmounts(paid: readonly PaidTask[], backend: CryptoBackend): ScannedOutput[][] {
  const hidden = new Map<FoundOutput, HiddenAmount>();
  for (const { task, transaction } of paid) {
    const { rct } = transaction.tx;
    for (const output of task.found.values()) {
      const isClear = task.outline.isCoinbase || amountInClear(task, output) !== 0n;
      if (isClear || rct === undefined) continue;
      const scalar = outputScalar(output.derivation, output.index);
      const amount = hiddenAmount(rct, output.index, scalar);
      if (amount !== undefined) hidden.set(output, amount);
    }
  }
  const fits = checkCommitments([...hidden.values()], backend);
  for (const [i, output] of [...hidden.keys()].entries()) {
    if (fits[i] !== true) hidden.delete(output);
  }
  return paid.map(({ task }) => {
    const found = [...task.found.values()].sort((a, b) => a.index - b.index);
    return found.flatMap((output) => ownedOutput(task, output, hidden));
  });
}

function amountInClear({ outline }: ScanTask, { index }: FoundOutput): bigint {
  return outline.outputs[index]?.amount ?? 0n;
}

function ownedOutput(
  task: ScanTask,
  output: FoundOutput,
  hidden: ReadonlyMap<FoundOutput, HiddenAmount>,
): ScannedOutput[] {
  const clear = amountInClear(task, output);
  if (clear !== 0n) {
    const isRct = task.outline.isCoinbase && task.outline.version === 2;
    return [{ ...output, amount: clear, mask: ONE, isRct }];
  }
  const opened = hidden.get(output);
  if (opened === undefined || opened.amount === 0n) return [];
  return [{ ...output, amount: opened.amount, mask: opened.mask, isRct: true }];
}
