import { genesisOf, makeBranch, type MadeBlock } from './block-factory.ts';
import { EASY } from './test-chain.ts';

/** Outputs of each block: ten blocks are stored in one commit. */
const OUTPUTS = 300;

/** Blocks of a commit of `outputBranch`. */
export const BLOCKS_PER_COMMIT = 10;

/** Returns the same blocks on top of genesis each time, which take twelve commits. */
export function outputBranch(): MadeBlock[] {
  return makeBranch(EASY, genesisOf(EASY), 12 * BLOCKS_PER_COMMIT, { coinbaseOutputs: OUTPUTS });
}
