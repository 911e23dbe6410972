import { type AnyCheck, countItems, unpacked } from './any-check.ts';
import { VerificationPoolError } from './errors.ts';
import type { VerificationPool } from './types.ts';

const BUSY = 'too many refusals wait for the reference to confirm them';

/** What one check asks the reference. */
interface Questions {
  /** Has the reference check it. Rejects with VerificationPoolError `busy` when too much of others is waiting. */
  ask(check: AnyCheck, signal?: AbortSignal): Promise<boolean[]>;
}

/**
 * Returns what a check costs the reference, in inputs: an FCMP++ proof as many as it has, some 0.4 seconds each; any other item one, which takes less.
 */
function costOf(check: AnyCheck): number {
  if (check.kind !== 'fcmp-plus-plus') return countItems(check);
  const objects = unpacked(check);
  if (objects.kind !== 'fcmp-plus-plus') return 0;
  return objects.proofs.reduce((sum, { pseudoOuts }) => sum + pseudoOuts.length, 0);
}

/** The reference, which is started with the first question, and how much is waiting for it. */
export class SecondOpinion {
  readonly #createPool: () => VerificationPool;
  readonly #maxInputs: number;
  #pool: VerificationPool | undefined;
  #waiting = 0;

  /** @param maxInputs inputs for which the checks of all may wait; those of one that waits alone may have more */
  constructor(createPool: () => VerificationPool, maxInputs = Infinity) {
    this.#createPool = createPool;
    this.#maxInputs = maxInputs;
  }

  /** Runs one check with its questions: once it has room, all that it asks is answered; others may take the room when it ends. */
  async during<T>(run: (questions: Questions) => Promise<T>): Promise<T> {
    let own = 0;
    let hasEnded = false;
    const ask: Questions['ask'] = async (check, signal) => {
      const cost = costOf(check);
      const isFull = this.#waiting > 0 && this.#waiting + cost > this.#maxInputs;
      // A part of the check that goes on after another has failed asks for nobody.
      if (hasEnded || (own === 0 && isFull)) throw new VerificationPoolError('busy', BUSY);
      own += cost;
      this.#waiting += cost;
      this.#pool ??= this.#createPool();
      return this.#pool.check(check, signal);
    };
    try {
      return await run({ ask });
    } finally {
      hasEnded = true;
      this.#waiting -= own;
    }
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }
}
