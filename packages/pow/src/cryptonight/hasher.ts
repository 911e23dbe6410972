import { Worker } from 'node:worker_threads';
import { guardEmitter } from '@monero-node/base';
import type { WorkerPool } from '@monero-node/base';
import { createPowWorkerPool } from '../create-worker-pool.ts';
import type { CryptonightRequest } from '../pow-hasher.ts';
import { assertCryptonightInput } from './engine.ts';
import type { CryptonightJob } from './messages.ts';

function startWorker(): Worker {
  // The compiled worker needs none of the flags this process was started with.
  const url = new URL(import.meta.resolve('@monero-node/pow/cryptonight-worker'));
  return guardEmitter(new Worker(url, { execArgv: [] }));
}

/** Computes CryptoNight on worker threads, which start with the first hash. The package must have been built. */
export class CryptonightHasher {
  readonly #pool: WorkerPool<CryptonightJob, Uint8Array>;

  /** @param threads number of hashes computed at the same time; each thread takes about 3 MiB */
  constructor(threads: number, start: () => Worker = startWorker) {
    this.#pool = createPowWorkerPool(threads, start);
  }

  /**
   * Returns the 32-byte hash.
   *
   * Throws PowInputError when the variant has no hash of the blob.
   * Throws PowUnavailableError ('closed', 'worker-crashed').
   */
  async hash({ variant, height, blob }: CryptonightRequest): Promise<Uint8Array> {
    assertCryptonightInput(variant, blob);
    // A copy: posting a view would clone the whole buffer behind it.
    return this.#pool.run({ variant, height, blob: Uint8Array.from(blob) });
  }

  /** Ends the threads and rejects the hashes that are not done. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
