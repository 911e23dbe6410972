import { Mutex } from '@monero-node/base';
import { runCheck } from '../checks.ts';
import type { CryptoBackend } from '../types.ts';
import { type AnyCheck, unpacked } from './any-check.ts';
import { VerificationPoolError } from './errors.ts';
import type { VerificationPool } from './types.ts';

class InlineVerificationPool implements VerificationPool {
  readonly threads = 1;
  readonly #backend: CryptoBackend;
  readonly #mutex = new Mutex();
  #closed = false;

  constructor(backend: CryptoBackend) {
    this.#backend = backend;
  }

  get backendName(): string {
    return this.#backend.name;
  }

  check(check: AnyCheck, signal?: AbortSignal): Promise<boolean[]> {
    return this.#mutex.run(() => {
      if (this.#closed) {
        throw new VerificationPoolError('closed', 'the verification pool is closed');
      }
      signal?.throwIfAborted();
      return runCheck(this.#backend, unpacked(check));
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}

/** Returns a pool without threads: checks run one after another on the calling thread and block it. */
export function createInlineVerificationPool(backend: CryptoBackend): VerificationPool {
  return new InlineVerificationPool(backend);
}
