import type { Yielder } from '@monero-node/base';
import { VOTE_WINDOW, voteOf } from '@monero-node/consensus';
import { bytesEqual } from '@monero-node/codec';
import type { RpcChain } from '../dependencies.ts';

/** Votes of the newest blocks, counted when somebody asks and kept while the top stays. */
export class ForkVotes {
  #topId: Uint8Array | undefined;
  /** Votes per version, 0 … 255. */
  #counts: readonly number[] = [];
  #window = 0;

  /** Blocks looked at (10,080 or all there are) and how many of them vote for `version` or later. */
  async count(
    chain: RpcChain,
    version: number,
    yielder: Yielder,
  ): Promise<{ window: number; votes: number }> {
    if (this.#topId === undefined || !bytesEqual(this.#topId, chain.topId)) {
      await this.#recount(chain, yielder);
    }
    const votes = this.#counts.slice(version).reduce((sum, count) => sum + count, 0);
    return { window: this.#window, votes };
  }

  async #recount(chain: RpcChain, yielder: Yielder): Promise<void> {
    const topId = chain.topId;
    const end = chain.height;
    const newest = chain.network.hardForks.at(-1)?.version ?? 1;
    const counts = new Array<number>(256).fill(0);
    const step = 1000;
    for (let from = Math.max(0, end - VOTE_WINDOW); from < end; from += step) {
      for (const meta of chain.store.blockMetas(from, Math.min(from + step, end))) {
        const vote = Math.min(voteOf(meta), newest);
        counts[vote] = (counts[vote] ?? 0) + 1;
      }
      await yielder.yieldIfDue();
    }
    this.#topId = topId;
    this.#counts = counts;
    this.#window = Math.min(end, VOTE_WINDOW);
  }
}
