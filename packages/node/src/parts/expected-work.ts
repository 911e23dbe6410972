import type { Blockchain } from '@monero-node/blockchain';
import {
  BLOCK_GROUP_SIZE,
  isRandomxAlgorithm,
  powRuleOf,
  versionAtHeight,
} from '@monero-node/consensus';
import type { P2pNode } from '@monero-node/p2p';
import { seedEnd, seedHeight, type PowHasher } from '@monero-node/pow';
import { claimedHeight } from './target-height.ts';

/** The parts that {@link ExpectedWork} works with. */
export interface ExpectedWorkDependencies {
  readonly blockchain: Pick<
    Blockchain,
    'height' | 'network' | 'store' | 'nextDifficulty' | 'on' | 'off'
  >;
  readonly pow: Pick<PowHasher, 'expect'>;
  readonly p2p: Pick<P2pNode, 'connections' | 'synchronized'>;
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
 * Tells the hasher, whenever blocks were added, how many more blocks of the present RandomX seed are to be verified before this
 * node is as far as most of its peers. Near the top of the chain there are none, unless a dataset is to be kept.
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
    if (this.#options.keepsDataset === true) this.#onBlocks();
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
    const { blockchain, p2p } = this.#deps;
    const { skipsEasiest, trustedGroups, keepsDataset = false } = this.#options;
    const { network } = blockchain;
    const { algorithm } = powRuleOf(network, versionAtHeight(network, height));
    const isSkipped = skipsEasiest && blockchain.nextDifficulty() === 1n;
    if (!isRandomxAlgorithm(algorithm) || isSkipped) return 0;
    const first = Math.max(height, trustedGroups * BLOCK_GROUP_SIZE);
    if (keepsDataset && first === height) return seedEnd(height) - height;
    if (p2p.synchronized) return 0;
    const end = Math.min(claimedHeight(p2p.connections()) ?? 0, seedEnd(height));
    return Math.max(0, end - first);
  }
}
