import type { CryptoCheck, VerificationPool } from '@monero-node/crypto';
import type { PowHasher } from '@monero-node/pow';

/** How an engine errs. */
export type Fault = 'wrong' | 'throws' | 'never';

/** Errs at every `period`-th call, in the ways of `faults` in turn; returns undefined at the other calls. */
function errsEvery(period: number, faults: readonly Fault[]): () => Fault | undefined {
  let calls = 0;
  return () => {
    calls++;
    return calls % period === 0 ? faults[(calls / period - 1) % faults.length] : undefined;
  };
}

/** Returns a function that makes a proof-of-work engine err once in `period` hashes. */
export function faultyEngine(
  period: number,
  faults: readonly Fault[],
): (engine: PowHasher) => PowHasher {
  const next = errsEvery(period, faults);
  return (engine) => ({
    name: engine.name,
    hash: async (request) => {
      const fault = next();
      if (fault === 'throws') throw new Error('the engine fails');
      if (fault === 'never') return new Promise(() => undefined);
      return fault === 'wrong' ? new Uint8Array(32).fill(0xff) : engine.hash(request);
    },
    close: () => engine.close(),
  });
}

/** Returns a function that makes a crypto backend refuse one in `period` answers, or fail on one in `period` checks. */
export function faultyPool(period: {
  readonly answers: number;
  readonly checks: number;
}): (pool: VerificationPool) => VerificationPool {
  const refuses = errsEvery(period.answers, ['wrong']);
  const fails = errsEvery(period.checks, ['throws']);
  return (pool) => ({
    threads: pool.threads,
    backendName: pool.backendName,
    check: async (check: CryptoCheck, signal) => {
      if (fails() !== undefined) throw new Error('the backend fails');
      const answers = await pool.check(check, signal);
      return answers.map((answer) => answer && refuses() === undefined);
    },
    close: () => pool.close(),
  });
}
