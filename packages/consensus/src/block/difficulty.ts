import type { Network } from '../network/types.ts';

/** Blocks in the window, without the newest 15 (DIFFICULTY_WINDOW in src/cryptonote_config.h). */
const WINDOW = 720;
/** Sorted timestamps of a full window that remain after 60 are cut off at either end (DIFFICULTY_CUT). */
const KEPT = WINDOW - 2 * 60;
const MAX_U128 = (1n << 128n) - 1n;
const MAX_U256 = (1n << 256n) - 1n;

/**
 * Returns the difficulty of the next block, or 0n when it does not fit 128 bits: then no proof of work
 * is good enough.
 *
 * Source: next_difficulty in src/cryptonote_basic/difficulty.cpp.
 *
 * @param timestamps Unix seconds, of the newest up to 735 blocks, oldest first, without genesis
 * @param cumulativeDifficulties of the same blocks
 * @param target seconds per block
 */
export function nextDifficulty(
  timestamps: readonly number[],
  cumulativeDifficulties: readonly bigint[],
  target: number,
): bigint {
  const length = Math.min(timestamps.length, WINDOW);
  if (length <= 1) return 1n;
  const sorted = Float64Array.from(timestamps.slice(0, length)).sort();
  const from = length <= KEPT ? 0 : Math.floor((length - KEPT + 1) / 2);
  const to = length <= KEPT ? length : from + KEPT;
  const span = BigInt(Math.max(1, (sorted[to - 1] as number) - (sorted[from] as number)));
  const work =
    (cumulativeDifficulties[to - 1] as bigint) - (cumulativeDifficulties[from] as bigint);
  const result = (work * BigInt(target) + span - 1n) / span;
  return result > MAX_U128 ? 0n : result;
}

/**
 * Returns the difficulty that a network fixes for the block on top of `chainHeight` blocks; undefined
 * where nextDifficulty decides.
 *
 * Source: Blockchain::get_difficulty_for_next_block in src/cryptonote_core/blockchain.cpp.
 */
export function fixedDifficulty(network: Network, chainHeight: number): bigint | undefined {
  if (network.fixedDifficulty === undefined) return undefined;
  return chainHeight === 0 ? 1n : network.fixedDifficulty;
}

/**
 * Whether hash × difficulty is below 2^256, where the hash is read as a little-endian number. False for
 * difficulty 0.
 *
 * Source: check_hash in src/cryptonote_basic/difficulty.cpp.
 *
 * @param hash proof-of-work hash, 32 bytes
 */
export function meetsDifficulty(hash: Uint8Array, difficulty: bigint): boolean {
  if (difficulty <= 0n) return false;
  let value = 0n;
  const view = new DataView(hash.buffer, hash.byteOffset, 32);
  for (let i = 24; i >= 0; i -= 8) value = (value << 64n) | view.getBigUint64(i, true);
  return value * difficulty <= MAX_U256;
}
