import { FCMP_TYPE, type ParsedTransaction } from '@monero-node/codec';

/** Most tasks that wait, and their size together. */
export interface PendingLimits {
  readonly count: number;
  readonly size: number;
}

/** Bounds the number and the size of what waits for verification. */
export class PendingLimit {
  readonly #limits: PendingLimits;
  #count = 0;
  #size = 0;

  constructor(limits: PendingLimits) {
    this.#limits = limits;
  }

  /** Runs the task and returns its result; returns undefined, without running it, when too much is waiting. */
  async run<T>(size: number, task: () => Promise<T>): Promise<T | undefined> {
    const { count, size: most } = this.#limits;
    if (this.#count >= count || this.#size + size > most) return undefined;
    this.#count++;
    this.#size += size;
    try {
      return await task();
    } finally {
      this.#count--;
      this.#size -= size;
    }
  }
}

/**
 * Returns the number of inputs for which an FCMP++ proof is to be verified, 0 for other transactions. They, not the transactions, are what
 * takes time: tens of milliseconds each, and ten times as much when the reference confirms that the proof is wrong.
 */
export function inputsToProve({ tx }: ParsedTransaction): number {
  return tx.rct?.type === FCMP_TYPE ? tx.inputs.length : 0;
}
