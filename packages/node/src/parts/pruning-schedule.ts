import type { Logger } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import { TIP_BLOCKS } from '@monero-node/consensus';

/** Number of blocks after which the chain is pruned again. */
const BLOCKS_BETWEEN = 500;

/** Prunes a chain, and keeps it pruned as it grows. */
export class PruningSchedule {
  readonly #blockchain: Blockchain;
  readonly #logger: Logger;
  /** Whether to prune a chain that is not pruned yet. */
  readonly #wanted: boolean;
  #next = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(options: { wanted: boolean }, deps: { blockchain: Blockchain; logger: Logger }) {
    this.#wanted = options.wanted;
    this.#blockchain = deps.blockchain;
    this.#logger = deps.logger;
  }

  /** Starts to prune in the background, because a long chain takes hours. */
  async start(): Promise<void> {
    const chain = this.#blockchain;
    const wanted = this.#wanted || chain.pruningSeed !== 0;
    if (wanted) this.#run(chain.prune());
    this.#next = chain.height + BLOCKS_BETWEEN;
    chain.on('blocks-added', this.#onBlocks);
  }

  async stop(): Promise<void> {
    this.#blockchain.off('blocks-added', this.#onBlocks);
    await this.#running;
  }

  readonly #onBlocks = (): void => {
    const chain = this.#blockchain;
    if (chain.height < this.#next || chain.height < TIP_BLOCKS || chain.pruningSeed === 0) return;
    this.#next = chain.height + BLOCKS_BETWEEN;
    this.#run(chain.updatePruning());
  };

  #run(pruning: Promise<void>): void {
    this.#running = pruning.then(
      () => this.#logger.debug(`pruned, with seed ${this.#blockchain.pruningSeed}`),
      (error: unknown) => this.#logger.error(`pruning failed: ${(error as Error).message}`),
    );
  }
}
