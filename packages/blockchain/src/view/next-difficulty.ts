import {
  ConsensusError,
  DIFFICULTY_BLOCKS,
  nextDifficulty,
  rulesFor,
  versionAtHeight,
  type Network,
} from '@monero-node/consensus';
import type { HeaderChain } from './header-chain.ts';

/**
 * Returns the difficulty of the block that would follow `chain`.
 *
 * Throws ConsensusError 'difficulty-overflow' when it does not fit 128 bits.
 * Source: get_difficulty_for_next_block and get_next_difficulty_for_alternative_chain in
 * src/cryptonote_core/blockchain.cpp.
 */
export function difficultyAfter(chain: HeaderChain, network: Network): bigint {
  const height = chain.height;
  if (height === 0) return 1n;
  if (network.fixedDifficulty !== undefined) return network.fixedDifficulty;
  // Genesis is never included.
  const window = chain.tail(Math.min(DIFFICULTY_BLOCKS, height - 1));
  const rules = rulesFor(versionAtHeight(network, height));
  const difficulty = nextDifficulty(
    window.map((header) => header.timestamp),
    window.map((header) => header.cumulativeDifficulty),
    rules.difficultyTarget,
  );
  if (difficulty === 0n) throw new ConsensusError('difficulty-overflow', '', { height });
  return difficulty;
}
