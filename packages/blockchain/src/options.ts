import { silentLogger, type Logger } from '@monero-node/base';
import { NEEDED, OPTIONAL, OptionError, type OptionTable } from '@monero-node/base/options';
import type { BlockGroup, Network } from '@monero-node/consensus';
import {
  createBackend,
  createInlineVerificationPool,
  type CryptoBackend,
  type VerificationPool,
} from '@monero-node/crypto';
import type { PowHasher } from '@monero-node/pow';
import type { ChainReader, ChainWriter } from '@monero-node/storage';
import type { TreeHasher } from '@monero-node/curve-tree';
import type { ChainTree, GrowingOptions } from './view/tree/chain-tree.ts';
import { loadChainTree } from './view/tree/load-tree.ts';
import { NO_TREE, type TreeRoots } from './view/tree-roots.ts';

export interface BlockchainOptions {
  readonly network: Network;
  /** Unix seconds; the system clock by default. */
  readonly now?: () => number;
  /** Hashes of groups of blocks known to be right; none by default. */
  readonly blockGroups?: readonly BlockGroup[];
  /**
   * Whether to compute no hash for blocks of difficulty 1, which every hash meets: for private chains that are to grow at
   * once. False when absent.
   */
  readonly skipEasiestWork?: boolean;
  /**
   * Whether to keep a curve tree though the network has no version that commits to one: `Blockchain.buildTree` builds it, once. False when
   * absent. A stored tree is kept in any case.
   */
  readonly buildTree?: boolean;
  /** Ends the opening where that takes long, as the curve tree is built. The next opening goes on. None when absent. */
  readonly signal?: AbortSignal | undefined;
}

export const BLOCKCHAIN_OPTIONS: OptionTable<BlockchainOptions> = {
  network: NEEDED,
  now: OPTIONAL,
  blockGroups: OPTIONAL,
  skipEasiestWork: OPTIONAL,
  buildTree: OPTIONAL,
  signal: OPTIONAL,
};

/** The parts of a chain. The caller closes them after `stop()`. */
export interface BlockchainDependencies {
  readonly store: ChainReader & ChainWriter;
  readonly pow: PowHasher;
  /** Computes commitments of coinbase outputs, and those of templates, on the event loop; `createBackend()` by default. */
  readonly backend?: Pick<CryptoBackend, 'commitToAmount' | 'addMultiples'>;
  /**
   * Verifies signatures and proofs. By default the event loop does, which suits tests and small chains; a node passes
   * `createVerificationPool()`.
   */
  readonly verifier?: VerificationPool;
  /**
   * Which curve tree new blocks commit to from version 17 on. By default a chain with that version keeps the tree, and refuses blocks that
   * commit to another; with other roots it keeps none, looks at no block's, and takes no store that has a tree: that would soon be wrong.
   */
  readonly treeRoots?: TreeRoots;
  /** Computes the curve tree, as `createTreeHasher` of `@monero-node/curve-tree` does, which is the default. */
  readonly treeHasher?: TreeHasher;
  /** Silent by default. */
  readonly logger?: Logger;
}

/** The same with the defaults filled in. */
export interface ResolvedDependencies extends Required<Omit<BlockchainDependencies, 'treeHasher'>> {
  /** Undefined where the chain keeps no curve tree. */
  readonly tree: ChainTree | undefined;
}

function treeOptionsOf({
  treeHasher,
  logger = silentLogger,
}: BlockchainDependencies): GrowingOptions {
  return {
    hasher: treeHasher,
    onFallback: (reason) =>
      logger.warn(`the curve tree grows 20 times as slowly, without native code: ${reason}`),
    onWrong: (height, isNextRight) => {
      const block = `native code computed a wrong curve tree for block ${height}, which is mended`;
      const next = isNextRight ? 'agrees' : 'does not agree either';
      // It is about this machine: an operator reads of it at the default log level.
      logger.child('global').error(`${block}: the next block ${next} with the reference`);
    },
  };
}

/**
 * Fills in the backend, the verifier, the trees and the logger. Throws OptionError for `treeRoots` with a store that has a curve tree, which
 * nothing would keep up to date, and StorageError when the store does not tell whether it has one.
 */
export async function resolveBlockchainDependencies(
  { network, buildTree: asked }: Pick<BlockchainOptions, 'network' | 'buildTree'>,
  dependencies: BlockchainDependencies,
): Promise<ResolvedDependencies> {
  const { backend = createBackend(), logger = silentLogger, store } = dependencies;
  const { verifier = createInlineVerificationPool(createBackend()) } = dependencies;
  if (dependencies.treeRoots !== undefined && store.tree.indexes() > 0) {
    const message = 'treeRoots: the store has a curve tree, so its chain takes no other roots';
    throw new OptionError('bad-option', message, { option: 'treeRoots' });
  }
  const commitToAmount = (amount: bigint) => backend.commitToAmount(amount);
  const tree =
    dependencies.treeRoots === undefined
      ? await loadChainTree({ network, store, commitToAmount, asked }, treeOptionsOf(dependencies))
      : undefined;
  const treeRoots = dependencies.treeRoots ?? tree ?? NO_TREE;
  return { ...dependencies, backend, verifier, treeRoots, tree, logger };
}
