import { MAX_UNLOCK_HEIGHT } from '../primitives/constants.ts';
import type { ForkRules } from '../forks/fork-table.ts';

/**
 * Whether an output may be a ring member in the block at `height`.
 *
 * Source: Blockchain::is_tx_spendtime_unlocked in src/cryptonote_core/blockchain.cpp.
 *
 * @param rules of that block
 * @param unlockTime of the transaction with the output: a height below 500,000,000, Unix seconds from
 *   there on
 * @param height of the block that would spend it
 * @param clock result of adjustedTime in Unix seconds; a function is called only when needed
 */
export function isUnlocked(
  rules: ForkRules,
  unlockTime: bigint,
  height: number,
  clock: number | (() => number),
): boolean {
  if (unlockTime < MAX_UNLOCK_HEIGHT) return BigInt(height) >= unlockTime;
  const now = typeof clock === 'number' ? clock : clock();
  return BigInt(now + rules.timeLockLeeway) >= unlockTime;
}
