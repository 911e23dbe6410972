import { ConsensusError } from './errors.ts';
import type { Network } from './network/types.ts';

/** Blocks the rule looks at, the newest 15 (the lag) already dropped. */
const WINDOW = 720;
/** Of a full window, the sorted timestamps that stay once 60 are cut off at either end. */
const KEPT = WINDOW - 2 * 60;
const MAX_U128 = (1n << 128n) - 1n;
const MAX_U256 = (1n << 256n) - 1n;

/**
 * Difficulty of the next block. Source: next_difficulty in src/cryptonote_basic/difficulty.cpp.
 *
 * @param timestamps of the newest up to 735 blocks, oldest first, genesis never among them
 * @param cumulativeDifficulties of the same blocks
 * @param target seconds per block
 * @returns 0n when the result does not fit 128 bits: then no block is good enough
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
 * Difficulty that a network fixes for the block on top of `chainHeight` blocks; undefined where the
 * normal rule decides.
 */
export function fixedDifficulty(network: Network, chainHeight: number): bigint | undefined {
  if (network.fixedDifficulty === undefined) return undefined;
  return chainHeight === 0 ? 1n : network.fixedDifficulty;
}

/**
 * Whether hash × difficulty stays below 2^256, the hash read as a little-endian number.
 *
 * @param hash 32 bytes
 */
export function meetsDifficulty(hash: Uint8Array, difficulty: bigint): boolean {
  if (difficulty <= 0n) return false;
  let value = 0n;
  const view = new DataView(hash.buffer, hash.byteOffset, 32);
  for (let i = 24; i >= 0; i -= 8) value = (value << 64n) | view.getBigUint64(i, true);
  return value * difficulty <= MAX_U256;
}

/**
 * @param hash proof-of-work hash, 32 bytes
 * @throws ConsensusError 'difficulty-overflow' (difficulty 0), 'bad-proof-of-work'
 */
export function checkProofOfWork(hash: Uint8Array, difficulty: bigint, height: number): void {
  if (difficulty === 0n) throw new ConsensusError('difficulty-overflow', '', { height });
  if (meetsDifficulty(hash, difficulty)) return;
  throw new ConsensusError('bad-proof-of-work', `difficulty ${difficulty}`, { height });
}
