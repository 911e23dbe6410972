import { type CryptoCheck, runCheck } from '../checks.ts';
import type { CryptoBackend } from '../types.ts';
import { VerificationPoolError } from './errors.ts';
import type { VerificationPool } from './types.ts';

class InlineVerificationPool implements VerificationPool {
  readonly threads = 1;
  readonly #backend: CryptoBackend;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(backend: CryptoBackend) {
    this.#backend = backend;
  }

  get backendName(): string {
    return this.#backend.name;
  }

  check(check: CryptoCheck, signal?: AbortSignal): Promise<boolean[]> {
    const answer = this.#last.then(() => {
      if (this.#closed) {
        throw new VerificationPoolError('closed', 'the verification pool is closed');
      }
      signal?.throwIfAborted();
      return runCheck(this.#backend, check);
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}

/** A pool without threads: checks run one after another on the calling thread and block it meanwhile. */
export function createInlineVerificationPool(backend: CryptoBackend): VerificationPool {
  return new InlineVerificationPool(backend);
}
