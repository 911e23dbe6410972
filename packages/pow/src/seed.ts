/** Blocks that share one RandomX seed (upstream src/crypto/rx-slow-hash.c). */
export const SEED_EPOCH_BLOCKS = 2048;
/** Blocks between a seed block and the first block hashed with it, so that caches can be prepared. */
export const SEED_EPOCH_LAG = 64;

/**
 * Height of the block whose id is the RandomX key for a block at `height`.
 *
 * Rule: 0 up to height 2112, afterwards `(height - 65)` rounded down to a multiple of 2048
 * (upstream `rx_seedheight`).
 */
export function seedHeight(height: number): number {
  if (height <= SEED_EPOCH_BLOCKS + SEED_EPOCH_LAG) return 0;
  const base = height - SEED_EPOCH_LAG - 1;
  return base - (base % SEED_EPOCH_BLOCKS);
}

/** Seed height that will be in force 64 blocks after `height` (block templates announce it). */
export function nextSeedHeight(height: number): number {
  return seedHeight(height + SEED_EPOCH_LAG);
}
