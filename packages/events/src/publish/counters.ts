import type { Blockchain } from '@monero-node/blockchain';
import { MESSAGE_VERSION } from '../messages/chain-message.ts';
import type { Counters } from '../messages/pool-message.ts';

/** Returns the figures of a chain. */
export function chainCounters(
  chain: Pick<Blockchain, 'top' | 'height' | 'difficultyOf'>,
): Counters {
  const { top } = chain;
  return {
    version: MESSAGE_VERSION,
    type: 'counters',
    height: chain.height,
    top_id: top.id,
    timestamp: top.timestamp,
    difficulty: String(chain.difficultyOf(top.height)),
    cumulative_difficulty: String(top.cumulativeDifficulty),
    generated_coins: top.generatedCoins,
    total_txs: top.cumulativeTxCount,
    rct_outputs: top.cumulativeRctOutputs,
  };
}
