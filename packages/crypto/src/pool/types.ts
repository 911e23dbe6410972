import type { CryptoCheck } from '../checks.ts';

/** Runs cryptographic checks away from (or on) the calling thread. */
export interface VerificationPool {
  readonly threads: number;
  readonly backendName: string;
  /**
   * Queues a check behind those already asked for.
   * Rejects only if its worker crashed twice, the pool is closed, or `signal` was aborted (with the signal's reason).
   */
  check(check: CryptoCheck, signal?: AbortSignal): Promise<boolean[]>;
  /** Stops the workers; checks still waiting are rejected. Safe to call twice. */
  close(): Promise<void>;
}
