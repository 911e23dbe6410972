import type { AnyCheck } from './any-check.ts';

/** Runs cryptographic checks, on threads of its own or on the calling thread. */
export interface VerificationPool {
  readonly threads: number;
  readonly backendName: string;
  /**
   * Queues a check behind earlier ones and resolves with its answers. Rejects only if a worker crashed on it
   * twice, it did not answer in time, the pool is closed, or `signal` was aborted (with the signal's reason).
   */
  check(check: AnyCheck, signal?: AbortSignal): Promise<boolean[]>;
  /**
   * The same pool for what strangers send, which must not delay blocks: its checks wait for those of {@link check}, and one is rejected with
   * VerificationPoolError `busy` when too many wait for a second opinion. A signal ends only the second opinion, as a valid transaction is
   * welcome after its sender has left. Absent where there is nothing to bound or to overtake.
   */
  readonly forStrangers?: VerificationPool;
  /**
   * Reports a batch that was refused although each of its proofs, checked in smaller batches, holds. Only the caller
   * who halved it knows.
   */
  refusedWrongly?(check: AnyCheck): void;
  /** Stops the workers; checks still waiting are rejected. Safe to call twice. */
  close(): Promise<void>;
}

/** A pool that `await using` closes. */
export interface DisposableVerificationPool extends VerificationPool {
  /** The same as `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}
