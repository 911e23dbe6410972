import { serveJobs } from '@monero-node/base/workers';
import { DecodeError, parsePrunedTransaction, parseTransaction } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import { SubaddressTable } from '../keys/subaddress-table.ts';
import { Scanner } from '../scan/scan.ts';
import type {
  FoundBytes,
  ScanAnswer,
  ScanJob,
  ScanWorkerData,
  TransactionBytes,
} from './messages.ts';

/** Scans for one account, with a table of its addresses that is kept between jobs. */
class ScanningThread {
  readonly #scanner: Scanner;
  readonly #isNew: boolean;

  constructor({ account, backend: choice, lookahead, coinbase, table }: ScanWorkerData) {
    const backend = createBackend(choice);
    const load = (): SubaddressTable | undefined => {
      try {
        return table && SubaddressTable.load(table, account, backend, lookahead);
      } catch {
        // Of another account or another lookahead, or changed: it is made again.
        return undefined;
      }
    };
    const stored = load();
    this.#isNew = stored === undefined;
    const subaddresses = stored ?? new SubaddressTable(account, backend, lookahead);
    this.#scanner = new Scanner({ account, backend, subaddresses, ...(coinbase && { coinbase }) });
  }

  /** Does a job and returns its answer, or a promise of it. */
  run(job: ScanJob, onProgress: (done: number) => void): ScanAnswer | Promise<ScanAnswer> {
    const { id, kind } = job;
    switch (kind) {
      case 'prepare':
        return this.#prepare(id, onProgress);
      case 'use':
        this.#scanner.subaddresses.use(job.at);
        return this.#prepare(id, onProgress);
      case 'save':
        return { id, kind: 'saved', table: this.#scanner.subaddresses.save() };
      case 'blocks':
        return { id, kind: 'found', found: this.#blocks(job.blocks) };
      case 'transactions':
        return { id, kind: 'found', found: this.#transactions(job.transactions) };
    }
  }

  async #prepare(id: number, onProgress: (done: number) => void): Promise<ScanAnswer> {
    let isNew = this.#isNew;
    await this.#scanner.subaddresses.prepare({
      onProgress: (done) => {
        isNew = true;
        onProgress(done);
      },
    });
    return { id, kind: 'prepared', isNew };
  }

  #blocks(blocks: Extract<ScanJob, { kind: 'blocks' }>['blocks']): FoundBytes[] {
    return this.#scanner
      .scanBlocks(blocks)
      .map(({ blockIndex: at, transactionIndex, isCoinbase, outputs, paymentId }) => {
        return { at, transactionIndex, isCoinbase, outputs, paymentId };
      });
  }

  #transactions(transactions: readonly TransactionBytes[]): FoundBytes[] {
    const parsed = transactions.map(({ blob, prunableHash }) =>
      prunableHash === undefined
        ? parseTransaction(blob)
        : parsePrunedTransaction(blob, prunableHash),
    );
    return this.#scanner.scan(parsed).map(({ isCoinbase, outputs, paymentId }, at) => {
      return { at, transactionIndex: 0, isCoinbase, outputs, paymentId };
    });
  }
}

// Entry point of the worker. What a job throws is its answer: a block may be malformed, and keys may be wrong, which the first job finds.
serveJobs((data: ScanWorkerData, send: (answer: ScanAnswer) => void) => {
  let thread: ScanningThread | undefined;
  return (job: ScanJob): undefined => {
    const { id } = job;
    const onProgress = (done: number): void => send({ id, kind: 'progress', done });
    void (async () => (thread ??= new ScanningThread(data)).run(job, onProgress))()
      .catch((error: unknown): ScanAnswer => {
        const offset = error instanceof DecodeError ? error.offset : undefined;
        return { id, kind: 'failed', error, offset };
      })
      .then(send);
    return undefined;
  };
});
