import type { ConsensusError } from '@monero-node/consensus';
import { MAX_REFUSED } from './limits.ts';

/**
 * Why transactions were refused, for as long as the tip stays, so that sending one again does not
 * cost its verification again. Not for what the pool itself was the reason of.
 */
export class Refusals {
  readonly #errors = new Map<string, ConsensusError>();

  get(key: string): ConsensusError | undefined {
    return this.#errors.get(key);
  }

  add(key: string, error: ConsensusError): void {
    this.#errors.set(key, error);
    trim(this.#errors, MAX_REFUSED);
  }

  clear(): void {
    this.#errors.clear();
  }
}

/** Drops the oldest keys beyond `limit`. */
export function trim(
  keys: { size: number; keys(): Iterator<string>; delete(key: string): boolean },
  limit: number,
): void {
  while (keys.size > limit) {
    const { value, done } = keys.keys().next();
    if (done) return;
    keys.delete(value);
  }
}
