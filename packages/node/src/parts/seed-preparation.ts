import type { Logger } from '@monero-node/base';
import type { AddedBlock, Blockchain } from '@monero-node/blockchain';
import {
  isRandomxAlgorithm,
  powRuleOf,
  versionAtHeight,
  type PowAlgorithm,
} from '@monero-node/consensus';
import { seedHeight, type PowHasher } from '@monero-node/pow';

/**
 * Number of blocks before the first block of a seed at which its cache is made: the seed is known 64 blocks ahead, but a
 * cache takes 256 MiB, and one that is not used is freed after ten minutes.
 */
const BLOCKS_AHEAD = 8;
/** More blocks at once come from a peer that is far ahead: the work of the next ones is not waited for. */
const MOST_AT_ONCE = 20;

/** The parts that {@link SeedPreparation} works with. */
export interface SeedPreparationDependencies {
  readonly blockchain: Pick<
    Blockchain,
    'height' | 'network' | 'store' | 'nextDifficulty' | 'on' | 'off'
  >;
  readonly pow: Pick<PowHasher, 'prepare' | 'seedsKept'>;
  readonly logger: Logger;
}

/**
 * Has the RandomX cache of the next block made before that block comes: at the start, and shortly before the seed or the version of
 * RandomX changes, which would hold up a block for some seconds otherwise. The cache of the seed before stays for a reorganization, until the
 * hasher frees it.
 */
export class SeedPreparation {
  readonly #deps: SeedPreparationDependencies;
  readonly #skipsEasiest: boolean;

  /** @param skipsEasiest whether blocks of difficulty 1 are not hashed */
  constructor(skipsEasiest: boolean, deps: SeedPreparationDependencies) {
    this.#deps = deps;
    this.#skipsEasiest = skipsEasiest;
  }

  start(): Promise<void> {
    this.#deps.blockchain.on('blocks-added', this.#onBlocks);
    const { height } = this.#deps.blockchain;
    this.#prepare(height);
    // Another algorithm that begins soon: the next block crosses no height at which its cache would be made.
    const later = height + this.#ahead;
    if (this.#algorithmAt(later) !== this.#algorithmAt(height)) this.#prepare(later);
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#deps.blockchain.off('blocks-added', this.#onBlocks);
    return Promise.resolve();
  }

  readonly #onBlocks = (blocks: readonly AddedBlock[]): void => {
    if (blocks.length > MOST_AT_ONCE) return;
    const { height } = this.#deps.blockchain;
    const ahead = this.#ahead;
    // Where the seed is older than these blocks and their number, its cache is there.
    const below = height - blocks.length;
    const isSeedNew = seedHeight(height + ahead) !== seedHeight(below);
    // Another version may be another engine, with a cache of its own.
    const isOther = this.#algorithmAt(height + ahead) !== this.#algorithmAt(below);
    if (isSeedNew || isOther) this.#prepare(height + ahead);
  };

  /** For how many blocks ahead a cache is made: for none where it would take the place of the one in use. */
  get #ahead(): number {
    return (this.#deps.pow.seedsKept ?? 0) > 1 ? BLOCKS_AHEAD : 0;
  }

  #algorithmAt(height: number): PowAlgorithm {
    const { network } = this.#deps.blockchain;
    return powRuleOf(network, versionAtHeight(network, height)).algorithm;
  }

  /** Has the cache made for a block at a height, unless its work is not hashed with RandomX. Never throws. */
  #prepare(height: number): void {
    const { blockchain, pow, logger } = this.#deps;
    const algorithm = this.#algorithmAt(height);
    const isSkipped = this.#skipsEasiest && blockchain.nextDifficulty() === 1n;
    // On private chains with short epochs the seed of a later block may not be known yet.
    const heights = [height, blockchain.height].map((at) => seedHeight(at));
    const seed = heights.map((at) => blockchain.store.blockMeta(at)).find(Boolean);
    if (!isRandomxAlgorithm(algorithm) || isSkipped || seed === undefined) return;
    pow.prepare?.(seed.id, algorithm).catch((error: unknown) => {
      logger.debug(`the cache of the next seed could not be made: ${String(error)}`);
    });
  }
}
