import type { NonceSearch, NonceSearcher, NonceSearchResult } from '@monero-node/pow';

/**
 * Below it a block is found with some hundred hashes, sooner than the memory of a fast searcher is prepared: only private
 * chains are so easy.
 */
const EASY = 1000n;

/** Takes one searcher for blocks that are easy to find, and another, which has to get ready first, for all others. */
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
