import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { templateSearch, type BlockTemplate } from '@monero-node/blockchain';
import type { NonceSearch } from '@monero-node/pow';

const NONCES = 2 ** 32;

/** One template and which of its nonces have been given to threads. */
export class MiningJob {
  readonly template: BlockTemplate;
  readonly #search: ReturnType<typeof templateSearch>;
  readonly #firstNonce = randomInt(NONCES);
  #searches = newSearches();
  #isEnded = false;
  #given = 0;

  constructor(template: BlockTemplate) {
    this.template = template;
    this.#search = templateSearch(template);
  }

  /** The next nonces, never twice the same; undefined when all were given out or the job has ended. */
  take(count: number): NonceSearch | undefined {
    const free = Math.min(count, NONCES - this.#given);
    if (free === 0 || this.#isEnded) return undefined;
    const startNonce = (this.#firstNonce + this.#given) % NONCES;
    this.#given += free;
    return { ...this.#search, startNonce, stride: 1, count: free, signal: this.#searches.signal };
  }

  /** Ends the searches under way; others may follow. The nonces they had left are never searched. */
  interrupt(): void {
    this.#searches.abort();
    this.#searches = newSearches();
  }

  /** Ends the searches under way, for good. */
  end(): void {
    this.#isEnded = true;
    this.#searches.abort();
  }
}

function newSearches(): AbortController {
  const searches = new AbortController();
  // One for every thread, however many those are.
  setMaxListeners(0, searches.signal);
  return searches;
}
