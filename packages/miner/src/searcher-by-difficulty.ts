import type { NonceSearch, NonceSearcher, NonceSearchResult } from '@monero-node/pow';

/**
 * Difficulty below which a block is found with a few hundred hashes, sooner than a fast searcher has prepared its memory.
 * Only private chains are that easy.
 */
const EASY = 1000n;

/** Uses one searcher for easy blocks, and another one, which needs preparation, for all others. */
export class SearcherByDifficulty implements NonceSearcher {
  readonly #easy: NonceSearcher;
  readonly #hard: NonceSearcher;

  constructor(searchers: { readonly easy: NonceSearcher; readonly hard: NonceSearcher }) {
    this.#easy = searchers.easy;
    this.#hard = searchers.hard;
  }

  get name(): string {
    return this.#hard.name;
  }

  search(task: NonceSearch): Promise<NonceSearchResult> {
    return (task.difficulty < EASY ? this.#easy : this.#hard).search(task);
  }

  async release(): Promise<void> {
    await this.#easy.release();
    await this.#hard.release();
  }
}
