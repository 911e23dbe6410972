import type { Blockchain } from '@monero-node/blockchain';
import {
  BLOCK_GROUP_SIZE,
  isRandomxAlgorithm,
  powRuleOf,
  versionAtHeight,
} from '@monero-node/consensus';
import { seedEnd, seedHeight, type PowHasher } from '@monero-node/pow';

/** The parts that {@link ExpectedWork} works with. */
export interface ExpectedWorkDependencies {
  readonly blockchain: Pick<
    Blockchain,
    'height' | 'network' | 'store' | 'nextDifficulty' | 'on' | 'off'
  >;
  readonly pow: Pick<PowHasher, 'expect'>;
  /** Returns the height that the chain will soon have, as far as is known; 0 when no more blocks are expected than come one by one. */
  readonly target: () => number;
}

/** Options of {@link ExpectedWork}. */
export interface ExpectedWorkOptions {
  /** Whether blocks of difficulty 1 are not hashed. */
  readonly skipsEasiest: boolean;
  /** Number of groups of blocks, from the first block on, whose ids are known: their work is not verified. */
  readonly trustedGroups: number;
  /** Whether the rest of a seed's blocks are expected at the top too, so that a dataset is kept. */
  readonly keepsDataset?: boolean;
}

/**
 * Tells the hasher, at the start and whenever blocks were added, how many more blocks of the present RandomX seed are to be
 * verified before the chain has its target height. At the target there are none, unless a dataset is to be kept.
 */
export class ExpectedWork {
  readonly #deps: ExpectedWorkDependencies;
  readonly #options: ExpectedWorkOptions;

  constructor(options: ExpectedWorkOptions, deps: ExpectedWorkDependencies) {
    this.#options = options;
    this.#deps = deps;
  }

  start(): Promise<void> {
    this.#deps.blockchain.on('blocks-added', this.#onBlocks);
    this.#onBlocks();
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#deps.blockchain.off('blocks-added', this.#onBlocks);
    return Promise.resolve();
  }

  readonly #onBlocks = (): void => {
    const { blockchain, pow } = this.#deps;
    const seed = blockchain.store.blockMeta(seedHeight(blockchain.height));
    if (seed !== undefined) pow.expect?.(seed.id, this.#blocks(blockchain.height));
  };

  /** Returns how many blocks of the seed of the block at `height`, from that one on, are to be hashed. */
  #blocks(height: number): number {
    const { blockchain, target } = this.#deps;
    const { skipsEasiest, trustedGroups, keepsDataset = false } = this.#options;
    const { network } = blockchain;
    const { algorithm } = powRuleOf(network, versionAtHeight(network, height));
    const isSkipped = skipsEasiest && blockchain.nextDifficulty() === 1n;
    if (!isRandomxAlgorithm(algorithm) || isSkipped) return 0;
    const first = Math.max(height, trustedGroups * BLOCK_GROUP_SIZE);
    if (keepsDataset && first === height) return seedEnd(height) - height;
    return Math.max(0, Math.min(target(), seedEnd(height)) - first);
  }
}
