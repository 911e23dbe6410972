import type { Logger } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import type { Part } from './lifecycle.ts';

/**
 * Returns the part of a node that builds the curve tree of its chain in the background, when the chain keeps one and lacks blocks of it: an
 * old chain takes hours. The chain ends the build when it is stopped; the next start goes on.
 */
export function treeBuild(
  blockchain: Pick<Blockchain, 'buildTree' | 'treeBlocks' | 'height'>,
  logger: Logger,
): Part {
  return {
    name: 'curve tree',
    start: () => {
      const { treeBlocks, height } = blockchain;
      if (treeBlocks !== undefined && treeBlocks < height)
        blockchain.buildTree().catch((error: unknown) => {
          const { message } = error as Error;
          logger.error(`building the curve tree failed, the next start goes on: ${message}`);
        });
      return Promise.resolve();
    },
    stop: () => Promise.resolve(),
  };
}
