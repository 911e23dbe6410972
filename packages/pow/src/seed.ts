/** Number of blocks that share one RandomX seed. Source: SEEDHASH_EPOCH_BLOCKS in src/crypto/rx-slow-hash.c. */
export const SEED_EPOCH_BLOCKS = 2048;
/** Number of blocks between a seed block and the first block hashed with it, so that caches can be prepared. */
export const SEED_EPOCH_LAG = 64;

/**
 * Returns the height of the block whose id is the RandomX key for a block at `height`: 0 up to height 2112, then
 * `height - 65` rounded down to a multiple of 2048. Source: rx_seedheight in src/crypto/rx-slow-hash.c.
 */
export function seedHeight(height: number): number {
  if (height <= SEED_EPOCH_BLOCKS + SEED_EPOCH_LAG) return 0;
  const base = height - SEED_EPOCH_LAG - 1;
  return base - (base % SEED_EPOCH_BLOCKS);
}

/** Returns the seed height that applies 64 blocks after `height`; block templates announce it. */
export function nextSeedHeight(height: number): number {
  return seedHeight(height + SEED_EPOCH_LAG);
}
