import { startCryptonightWorker } from '#platform';
import type { PoolWorker, WorkerPool } from '@monero-node/base';
import { createPowWorkerPool } from '../create-worker-pool.ts';
import type { CryptonightRequest } from '../pow-hasher.ts';
import { assertCryptonightInput } from './engine.ts';
import type { CryptonightJob } from './messages.ts';

/** Computes CryptoNight on worker threads, which start with the first hash. */
export class CryptonightHasher {
  readonly #pool: WorkerPool<CryptonightJob, Uint8Array>;

  /** @param threads number of hashes computed at the same time; each thread takes about 3 MiB */
  constructor(threads: number, start: () => PoolWorker = startCryptonightWorker) {
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
