import { Mutex } from '@monero-node/base';
import { runCheck } from '../checks.ts';
import type { CryptoBackend, FcmpVerifier } from '../types.ts';
import { type AnyCheck, unpacked } from './any-check.ts';
import { VerificationPoolError } from './errors.ts';
import type { DisposableVerificationPool } from './types.ts';

class InlineVerificationPool implements DisposableVerificationPool {
  readonly threads = 1;
  readonly #backend: CryptoBackend;
  readonly #fcmp: FcmpVerifier | undefined;
  readonly #mutex = new Mutex();
  #closed = false;

  constructor(backend: CryptoBackend, fcmp: FcmpVerifier | undefined) {
    this.#backend = backend;
    this.#fcmp = fcmp;
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
      return runCheck(this.#backend, unpacked(check), this.#fcmp);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  /** The same as {@link InlineVerificationPool.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Returns a pool without threads: checks run one after another on the calling thread and block it.
 *
 * @param fcmp verifies FCMP++ proofs; without it a check of them is rejected with MachineError
 */
export function createInlineVerificationPool(
  backend: CryptoBackend,
  fcmp?: FcmpVerifier,
): DisposableVerificationPool {
  return new InlineVerificationPool(backend, fcmp);
}
