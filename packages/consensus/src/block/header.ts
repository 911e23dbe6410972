import { bytesEqual, toHex, type BlockHeader, type CurveTreeRoot } from '@monero-node/codec';
import { BLOCK_SIZE_LEEWAY, FUTURE_TIME_LIMIT, TIMESTAMP_WINDOW } from '../primitives/constants.ts';
import { ConsensusError } from '../errors/consensus-error.ts';
import { median } from '../primitives/median.ts';
import { versionAtHeight } from '../network/hard-forks.ts';
import type { Network } from '../network/types.ts';
import type { ForkRules } from '../forks/fork-table.ts';

/**
 * Returns the fork that a block votes for: its minor version, where 0 (all blocks before the first
 * fork) counts as 1.
 *
 * Source: get_block_vote in src/cryptonote_basic/hardfork.cpp.
 */
export function voteOf(header: Pick<BlockHeader, 'minorVersion'>): number {
  return header.minorVersion === 0 ? 1 : header.minorVersion;
}

/**
 * Checks the bytes of a block's blob, which is done before anything else: a block within its weight limit never
 * has more.
 *
 * Throws ConsensusError 'block-blob-too-big'.
 *
 * Source: core::check_incoming_block_size in src/cryptonote_core/cryptonote_core.cpp.
 *
 * @param size bytes of the blob
 * @param weightLimit of the next block of the main chain, also for an alternative block
 * @param height of the block, for the error
 */
export function checkBlockSize(size: number, weightLimit: number, height: number): void {
  const limit = weightLimit + BLOCK_SIZE_LEEWAY;
  if (size <= limit) return;
  throw new ConsensusError('block-blob-too-big', `${size} of ${limit} bytes`, { height });
}

/**
 * Checks that the major version is that of the height, and that the vote is not below it.
 *
 * Throws ConsensusError 'wrong-version'.
 *
 * Source: HardFork::do_check in src/cryptonote_basic/hardfork.cpp.
 *
 * @param height of the block
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
 * Checks the curve tree that a block commits to. A block at height h commits to the tree of index h + 8: with all outputs that may be
 * spent once block h + 8 stands.
 *
 * Throws ConsensusError 'tree-root' when a part differs, or only one of both has a tree.
 *
 * Source: Blockchain::handle_block_to_main_chain in src/cryptonote_core/blockchain.cpp.
 *
 * @param tree of the block; undefined before fork 17
 * @param expected of the chain below the block; undefined before fork 17
 * @param height of the block
 */
export function checkCurveTree(
  tree: CurveTreeRoot | undefined,
  expected: CurveTreeRoot | undefined,
  height: number,
): void {
  const isSame =
    tree === undefined || expected === undefined
      ? tree === expected
      : tree.layers === expected.layers && bytesEqual(tree.root, expected.root);
  if (isSame) return;
  const shown = tree === undefined ? 'none' : `${tree.layers} layers, root ${toHex(tree.root)}`;
  throw new ConsensusError('tree-root', shown, { height });
}

/**
 * Checks that a timestamp is at most two hours ahead of the clock and, once the chain has 60 blocks,
 * not below the median of the last 60. Genesis counts as a block.
 *
 * Throws ConsensusError 'timestamp-too-new' or 'timestamp-too-old'.
 *
 * Source: Blockchain::check_block_timestamp in src/cryptonote_core/blockchain.cpp.
 *
 * @param timestamp Unix seconds
 * @param recentTimestamps Unix seconds, of the newest up to 60 blocks below
 * @param height of the block being checked
 * @param now Unix seconds
 */
export function checkTimestamp(
  timestamp: number,
  recentTimestamps: readonly number[],
  height: number,
  now: number,
): void {
  const enough = recentTimestamps.length >= TIMESTAMP_WINDOW;
  const asks = enough && !isAboveMedian(timestamp, recentTimestamps);
  checkTimestampRange(timestamp, asks ? median(recentTimestamps) : undefined, height, now);
}

/** Returns whether more than half of the values are not above `value`, so that their median is not either: sorting them takes longer. */
function isAboveMedian(value: number, values: readonly number[]): boolean {
  let notAbove = 0;
  for (const each of values) if (each <= value) notAbove++;
  return 2 * notAbove > values.length;
}

/**
 * Checks the same for a caller that knows the median. For an alternative block whose own chain is longer than 60 blocks,
 * it is the median of that whole chain.
 *
 * Throws ConsensusError 'timestamp-too-new' or 'timestamp-too-old'.
 *
 * Source: Blockchain::check_block_timestamp and complete_timestamps_vector in src/cryptonote_core/blockchain.cpp.
 *
 * @param timestamp Unix seconds
 * @param lowest the median, Unix seconds; undefined while there are fewer than 60 blocks
 * @param height of the block being checked
 * @param now Unix seconds
 */
export function checkTimestampRange(
  timestamp: number,
  lowest: number | undefined,
  height: number,
  now: number,
): void {
  if (timestamp > now + FUTURE_TIME_LIMIT) {
    throw new ConsensusError('timestamp-too-new', `${timestamp}, the clock says ${now}`, {
      height,
    });
  }
  if (lowest === undefined || timestamp >= lowest) return;
  throw new ConsensusError('timestamp-too-old', `${timestamp}, the median is ${lowest}`, {
    height,
  });
}

/**
 * Returns the time that time locks are compared with, in Unix seconds: the clock, or under forks that
 * read it from the chain the smaller of two values: the median projected to the next block, and the
 * largest recent timestamp plus one target. Upstream means to take the last timestamp, but its median
 * helper has sorted the list by then, so the largest is the rule.
 *
 * Source: Blockchain::get_adjusted_time in src/cryptonote_core/blockchain.cpp.
 *
 * @param recentTimestamps Unix seconds, of the newest 60 blocks (fewer on a shorter chain), any order
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
