import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { untilAborted } from '@monero-node/base/signals';
import type { PoolWorker } from '@monero-node/base';
import { DecodeError, type ParsedTransaction } from '@monero-node/codec';
import { BACKEND_CHOICES, type BackendChoice } from '@monero-node/crypto/choices';
import { startWorker } from '#start-worker';
import type { Account, ViewAccount } from '../keys/account.ts';
import type { SubaddressIndex } from '../keys/subaddress.ts';
import { LOOKAHEAD, type Lookahead } from '../keys/subaddress-table.ts';
import { COINBASE_SCANS, type CoinbaseScan } from '../scan/find-outputs.ts';
import type { BlockScanResult, ScannedTransaction } from '../scan/scan.ts';
import { blockSources, type ScannableBlock } from '../scan/scan-source.ts';
import type { FoundBytes, ScanAnswer, ScanJob, TransactionBytes } from './messages.ts';
import type { TableStore } from './stores.ts';

/** Why a worker has no answer. */
export type ScanWorkerErrorCode = 'closed' | 'worker-crashed';

/** A worker was closed, or it crashed: it must be made again. */
export class ScanWorkerError extends Error {
  readonly code: ScanWorkerErrorCode;

  constructor(code: ScanWorkerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ScanWorkerError';
    this.code = code;
  }
}

/** Options of {@link createScanWorker}. */
export interface ScanWorkerOptions {
  /** With the secret spend key the worker computes key images. */
  readonly account: ViewAccount | Account;
  /** By default the fastest that works: native code in Node, WebAssembly in a page. */
  readonly backend?: BackendChoice | undefined;
  /** How far ahead of the last used address outputs are recognized: see `ScannerOptions`. */
  readonly lookahead?: Lookahead | undefined;
  /** `optimize-coinbase` by default. */
  readonly coinbase?: CoinbaseScan | undefined;
  /** Keeps the addresses of the account, so that they are computed once; by default nothing does. */
  readonly store?: TableStore | undefined;
  /** Ends the making; it then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Called while the addresses are computed, with the part that is done, 0 to 1. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

const OPTIONS: OptionTable<ScanWorkerOptions> = {
  account: NEEDED,
  backend: { optional: true, choices: BACKEND_CHOICES },
  lookahead: { optional: true, table: LOOKAHEAD },
  coinbase: { optional: true, choices: COINBASE_SCANS },
  store: OPTIONAL,
  signal: OPTIONAL,
  onProgress: OPTIONAL,
};

/** Options of one scan. */
export interface ScanCallOptions {
  /** Ends it; it then rejects with the reason of the signal, and the worker goes on to the next one. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the part that is done, 0 to 1. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

const CALL: OptionTable<ScanCallOptions> = { signal: OPTIONAL, onProgress: OPTIONAL };

/** Blocks or transactions of one message: some tens of milliseconds, after which a scan can be ended. */
const BLOCKS = 100;
const TRANSACTIONS = 1000;

/**
 * Starts a worker that scans for an account: a thread of Node or a worker of a page, so that the program goes on meanwhile. It has
 * `scanBlocks` and `scan` of a `Scanner`, as promises, so that `watchPayments` of `@monero-node/rpc-client/watch` takes it.
 *
 * Resolves when the addresses are computed, or loaded from `store`. Rejects with OptionError for an unknown option, with RangeError for
 * keys and a lookahead that are out of bounds, with ScanWorkerError, with what the store and `onProgress` throw, and with the reason of the signal.
 */
export async function createScanWorker(options: ScanWorkerOptions): Promise<ScanWorker> {
  checkOptions('createScanWorker', options, OPTIONS);
  const { account, backend = 'auto', lookahead, coinbase, store, signal, onProgress } = options;
  signal?.throwIfAborted();
  const table = await store?.load();
  const { viewSecret, spendKey } = account;
  const keys =
    'spendSecret' in account
      ? { viewSecret, spendKey, viewKey: account.viewKey, spendSecret: account.spendSecret }
      : { viewSecret, spendKey };
  const thread = new Thread(startWorker({ account: keys, backend, lookahead, coinbase, table }));
  try {
    const prepared = thread.ask((id) => ({ id, kind: 'prepare' }), onProgress);
    const answer = await (signal === undefined ? prepared : untilAborted(prepared, signal));
    const worker = new ScanWorker(thread, store);
    if (answer.kind === 'prepared' && answer.isNew) await worker.save();
    return worker;
  } catch (error) {
    await thread.close();
    throw error;
  }
}

/** A worker that scans for one account. */
export class ScanWorker {
  readonly #thread: Thread;
  readonly #store: TableStore | undefined;

  /** Use {@link createScanWorker}. */
  constructor(thread: Thread, store: TableStore | undefined) {
    this.#thread = thread;
    this.#store = store;
  }

  /**
   * Returns the transactions of blocks that bring the account something, in order: see `scanBlocks` of `Scanner`. Rejects with what that
   * throws, with ScanWorkerError, and with the reason of the signal.
   */
  async scanBlocks(
    blocks: readonly ScannableBlock[],
    options: ScanCallOptions = {},
  ): Promise<BlockScanResult[]> {
    const results: BlockScanResult[] = [];
    const found = this.#inParts(blocks, BLOCKS, options, (id, part) => {
      return { id, kind: 'blocks', blocks: part };
    });
    for await (const { at, transactionIndex, isCoinbase, outputs, paymentId } of found) {
      const sources = blockSources(blocks[at] as ScannableBlock, at);
      const source = sources[transactionIndex];
      if (source === undefined) continue;
      const transaction = source.parse();
      results.push({
        transaction,
        isCoinbase,
        outputs,
        paymentId,
        blockIndex: at,
        transactionIndex,
      });
    }
    return results;
  }

  /** Returns for each transaction, full or pruned, what it brings the account: see `scan` of `Scanner`. Rejects as `scanBlocks` does. */
  async scan(
    transactions: readonly ParsedTransaction[],
    options: ScanCallOptions = {},
  ): Promise<ScannedTransaction[]> {
    const results: ScannedTransaction[] = [];
    const bytes = transactions.map(bytesOf);
    const found = this.#inParts(bytes, TRANSACTIONS, options, (id, part) => {
      return { id, kind: 'transactions', transactions: part };
    });
    for await (const { at, isCoinbase, outputs, paymentId } of found) {
      const transaction = transactions[at] as ParsedTransaction;
      results.push({ transaction, isCoinbase, outputs, paymentId });
    }
    return results;
  }

  /**
   * Finds payments to this address too, and to those beyond it by the lookahead: see `use` of `SubaddressTable`. Call it for each address
   * that you hand out, and after a restart for the last one of each account. Resolves when they are computed. Rejects with ScanWorkerError.
   */
  async use({ account, index }: SubaddressIndex): Promise<void> {
    await this.#thread.ask((id) => ({ id, kind: 'use', at: { account, index } }));
  }

  /** Gives the store the addresses of now, which become more as outputs are found. Rejects with what the store throws. */
  async save(): Promise<void> {
    if (this.#store === undefined) return;
    const answer = await this.#thread.ask((id) => ({ id, kind: 'save' }));
    if (answer.kind === 'saved') await this.#store.save(answer.table);
  }

  /** Ends the worker. What it has not answered rejects with the code `closed`. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  /** The same as {@link ScanWorker.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Sends items in parts, one after the other, and returns what is found in them. */
  async *#inParts<Item>(
    items: readonly Item[],
    size: number,
    options: ScanCallOptions,
    job: (id: number, part: readonly Item[]) => ScanJob,
  ): AsyncGenerator<FoundBytes, void, void> {
    checkOptions('a scan', options, CALL);
    const { signal, onProgress } = options;
    for (let from = 0; from < items.length; from += size) {
      signal?.throwIfAborted();
      const asked = this.#thread.ask((id) => job(id, items.slice(from, from + size)));
      const answer = await (signal === undefined ? asked : untilAborted(asked, signal));
      onProgress?.(Math.min(1, (from + size) / items.length));
      if (answer.kind !== 'found') continue;
      for (const { at, transactionIndex, isCoinbase, outputs, paymentId } of answer.found) {
        yield { at: from + at, transactionIndex, isCoinbase, outputs, paymentId };
      }
    }
  }
}

/** Returns a transaction as bytes: whole if it has anything that pruning takes away. */
function bytesOf({ blob, unprunedSize, prunableHash, tx }: ParsedTransaction): TransactionBytes {
  const isWhole = blob.length > unprunedSize || tx.inputs[0]?.kind === 'gen';
  return { blob, prunableHash: isWhole ? undefined : prunableHash };
}

/** Returns the error of a job as it was thrown. */
function errorOf({ error, offset }: Extract<ScanAnswer, { kind: 'failed' }>): unknown {
  if (offset === undefined || !(error instanceof Error)) return error;
  return new DecodeError(error.message.replace(/ \(at offset \d+\)$/, ''), offset);
}

interface Waiting {
  readonly resolve: (answer: ScanAnswer) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((done: number) => void) | undefined;
}

/** Sends jobs to a worker and hands out its answers. Only a worker with a job keeps the process alive. */
class Thread {
  readonly #worker: PoolWorker;
  readonly #waiting = new Map<number, Waiting>();
  #jobs = 0;
  #end: ScanWorkerError | undefined;

  constructor(worker: PoolWorker) {
    this.#worker = worker;
    worker.unref();
    worker.on('message', (answer) => this.#answered(answer as ScanAnswer));
    worker.on('error', (cause) => {
      this.#ended(new ScanWorkerError('worker-crashed', `the worker: ${cause.message}`, { cause }));
    });
    worker.on('exit', () => {
      this.#ended(new ScanWorkerError('worker-crashed', 'the worker has ended'));
    });
  }

  /** Sends a job. Rejects with the error of the job, what `onProgress` throws, DataCloneError for what cannot be copied, and with ScanWorkerError. */
  ask(job: (id: number) => ScanJob, onProgress?: (done: number) => void): Promise<ScanAnswer> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const id = ++this.#jobs;
    return new Promise((resolve, reject) => {
      // It throws for what cannot be copied, and then nothing is waited for.
      this.#worker.postMessage(job(id), []);
      this.#waiting.set(id, { resolve, reject, onProgress });
      this.#worker.ref();
    });
  }

  async close(): Promise<void> {
    this.#ended(new ScanWorkerError('closed', 'the worker was closed'));
    await this.#worker.terminate();
  }

  #answered(answer: ScanAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    if (answer.kind === 'progress') {
      try {
        waiting?.onProgress?.(answer.done);
      } catch (error) {
        this.#forget(answer.id);
        waiting?.reject(error);
      }
      return;
    }
    this.#forget(answer.id);
    if (answer.kind === 'failed') waiting?.reject(errorOf(answer));
    else waiting?.resolve(answer);
  }

  #forget(id: number): void {
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  #ended(error: ScanWorkerError): void {
    this.#end ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    this.#waiting.clear();
  }
}
