import { batchSize } from './batch-size.ts';
import type { BlockFeeder } from './block-feeder.ts';
import type { ChainForP2p } from './chain.ts';
import type { SpanQueue } from './span-queue.ts';

/** Newest blocks whose weights the size of a request depends on. */
const WEIGHT_WINDOW = 100;

export interface RequestSizeDependencies {
  readonly chain: ChainForP2p;
  readonly queue: SpanQueue;
  readonly feeder: Pick<BlockFeeder, 'blocksAtOnce'>;
}

/** How many blocks to request at once, given the weight of recent blocks and the speed of verification. */
export class RequestSize {
  readonly #chosen: number;
  readonly #deps: RequestSizeDependencies;
  #heaviest = { height: -1, weight: 0 };

  /** @param chosen blocks per request; 0 is the default rule */
  constructor(chosen: number, deps: RequestSizeDependencies) {
    this.#chosen = chosen;
    this.#deps = deps;
  }

  get blocks(): number {
    const { feeder, queue } = this.#deps;
    if (this.#chosen > 0) return batchSize(this.#chosen, 0);
    const heaviest = Math.max(this.#heaviestRecent(), queue.largestAverageBlock());
    return Math.min(batchSize(0, heaviest), feeder.blocksAtOnce);
  }

  /** The weight of the heaviest of the newest blocks, read once per height. */
  #heaviestRecent(): number {
    const { height, store } = this.#deps.chain;
    if (this.#heaviest.height !== height) {
      const metas = store.blockMetas(Math.max(0, height - WEIGHT_WINDOW), height);
      const weight = metas.reduce((max, meta) => Math.max(max, meta.weight), 0);
      this.#heaviest = { height, weight };
    }
    return this.#heaviest.weight;
  }
}
