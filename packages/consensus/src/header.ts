import type { BlockHeader } from '@monero-node/codec';
import { FUTURE_TIME_LIMIT, TIMESTAMP_WINDOW } from './constants.ts';
import { ConsensusError } from './errors.ts';
import { median } from './median.ts';
import { versionAtHeight } from './network/hard-forks.ts';
import type { Network } from './network/types.ts';
import type { ForkRules } from './rules.ts';

/**
 * The fork a block votes for: its minor version, where 0 (all blocks before the first fork) counts
 * as 1. Source: src/cryptonote_basic/hardfork.cpp.
 */
export function voteOf(header: Pick<BlockHeader, 'minorVersion'>): number {
  return header.minorVersion === 0 ? 1 : header.minorVersion;
}

/**
 * Major version must be the one of the height, and the vote not below it.
 *
 * @throws ConsensusError 'wrong-version'
 */
export function checkVersion(network: Network, height: number, header: BlockHeader): void {
  const expected = versionAtHeight(network, height);
  if (header.majorVersion === expected && voteOf(header) >= expected) return;
  throw new ConsensusError(
    'wrong-version',
    `${header.majorVersion}.${header.minorVersion}, expected ${expected}`,
    { height },
  );
}

/**
 * A block's timestamp may be at most two hours ahead of the clock and, once the chain has 60
 * blocks, not below the median of the last 60 (genesis counts). Source: check_block_timestamp in
 * src/cryptonote_core/blockchain.cpp.
 *
 * @param timestamp Unix seconds
 * @param recentTimestamps of the newest up to 60 blocks below. For an alternative block whose own
 *   chain is longer than 60, all of that chain's: the median then runs over them all
 * @param chainHeight height of the block being checked
 * @param now Unix seconds
 * @throws ConsensusError 'timestamp-too-new', 'timestamp-too-old'
 */
export function checkTimestamp(
  timestamp: number,
  recentTimestamps: readonly number[],
  chainHeight: number,
  now: number,
): void {
  const place = { height: chainHeight };
  if (timestamp > now + FUTURE_TIME_LIMIT) {
    throw new ConsensusError('timestamp-too-new', `${timestamp}, the clock says ${now}`, place);
  }
  if (recentTimestamps.length < TIMESTAMP_WINDOW) return;
  const lowest = median(recentTimestamps);
  if (timestamp < lowest) {
    throw new ConsensusError('timestamp-too-old', `${timestamp}, the median is ${lowest}`, place);
  }
}

/**
 * The time that time locks are compared with. Forks that read it from the chain take the smaller of
 * the median projected to the next block and the *largest* recent timestamp plus one target: the
 * source means the last block's, but its median helper has sorted the list by then, and that is the
 * rule now. Source: get_adjusted_time in src/cryptonote_core/blockchain.cpp.
 *
 * @param recentTimestamps of the newest 60 blocks (fewer on a shorter chain), any order
 * @param chainHeight number of blocks
 * @param now Unix seconds
 */
export function adjustedTime(
  rules: ForkRules,
  recentTimestamps: readonly number[],
  chainHeight: number,
  now: number,
): number {
  if (rules.timeLockClock === 'wall' || chainHeight < TIMESTAMP_WINDOW) return now;
  const projectedMedian = median(recentTimestamps) + ((TIMESTAMP_WINDOW + 1) * 120) / 2;
  return Math.min(projectedMedian, Math.max(...recentTimestamps) + 120);
}
