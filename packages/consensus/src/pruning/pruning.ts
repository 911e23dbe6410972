// A pruned node keeps one stripe of the blocks whole. Its pruning seed is 384 to 391 for stripes 1 to
// 8; a seed of 0 means a node that is not pruned.

/**
 * Consecutive blocks that belong to one stripe.
 * Source: CRYPTONOTE_PRUNING_STRIPE_SIZE in src/cryptonote_config.h.
 */
export const STRIPE_SIZE = 4096;
const LOG_STRIPES = 3;
/**
 * Number of stripes.
 * Source: CRYPTONOTE_PRUNING_LOG_STRIPES in src/cryptonote_config.h.
 */
export const STRIPES = 1 << LOG_STRIPES;
/**
 * Number of the newest blocks, which every node keeps whole.
 * Source: CRYPTONOTE_PRUNING_TIP_BLOCKS in src/cryptonote_config.h.
 */
export const TIP_BLOCKS = 5500;
const FIRST_SEED = LOG_STRIPES << 7;

/**
 * Whether a seed is 0 or that of a stripe; nodes with other seeds are not known.
 *
 * Source: process_payload_sync_data in src/cryptonote_protocol/cryptonote_protocol_handler.inl.
 */
export function isPlausibleSeed(seed: number): boolean {
  return seed === 0 || (seed >= FIRST_SEED && seed < FIRST_SEED + STRIPES);
}

/**
 * Returns the seed of a stripe from 1 to 8.
 *
 * Source: make_pruning_seed in src/common/pruning.cpp.
 */
export function seedOfStripe(stripe: number): number {
  return FIRST_SEED + stripe - 1;
}

/**
 * Returns the stripe of a seed, 1 to 8, or 0 for a node that is not pruned.
 *
 * Source: get_pruning_stripe in src/common/pruning.h.
 */
export function stripeOfSeed(seed: number): number {
  return seed === 0 ? 0 : 1 + (seed & 127);
}

/**
 * Returns the stripe that keeps the block at a height, 1 to 8, or 0 when all nodes do.
 *
 * Source: get_pruning_stripe in src/common/pruning.cpp.
 *
 * @param chainHeight number of blocks
 */
export function stripeOfHeight(height: number, chainHeight: number): number {
  if (height + TIP_BLOCKS >= chainHeight) return 0;
  return (Math.floor(height / STRIPE_SIZE) % STRIPES) + 1;
}

/**
 * Returns the stripe after `stripe`; 1 comes after 8.
 *
 * Source: get_next_needed_pruning_stripe in src/cryptonote_protocol/cryptonote_protocol_handler.inl.
 */
export function nextStripe(stripe: number): number {
  return 1 + (stripe % STRIPES);
}

/**
 * Returns how many stripes `to` is ahead of `from`, 0 to 7.
 *
 * Source: should_drop_connection in src/cryptonote_protocol/cryptonote_protocol_handler.inl.
 */
export function stripeDistance(from: number, to: number): number {
  return (to + STRIPES - from) % STRIPES;
}

/**
 * Returns the first height from `height` on whose block a node does not keep whole; the chain height
 * when it keeps all of them.
 *
 * Source: get_next_pruned_block_height in src/common/pruning.cpp.
 *
 * @param chainHeight number of blocks
 * @param seed pruning seed of the node
 */
export function nextPrunedHeight(height: number, chainHeight: number, seed: number): number {
  const stripe = stripeOfSeed(seed);
  if (stripe === 0 || stripeOfHeight(height, chainHeight) === 0) return chainHeight;
  if (!hasWholeBlock(height, chainHeight, seed)) return height;
  const end = (Math.floor(height / STRIPE_SIZE) + 1) * STRIPE_SIZE;
  return stripeOfHeight(end, chainHeight) === 0 ? chainHeight : end;
}

/**
 * Whether a node keeps the whole block at a height.
 *
 * Source: has_unpruned_block in src/common/pruning.cpp.
 *
 * @param chainHeight number of blocks
 * @param seed pruning seed of the node
 */
export function hasWholeBlock(height: number, chainHeight: number, seed: number): boolean {
  const stripe = stripeOfSeed(seed);
  if (stripe === 0) return true;
  const needed = stripeOfHeight(height, chainHeight);
  return needed === 0 || needed === stripe;
}
