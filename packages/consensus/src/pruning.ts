/**
 * Which blocks a pruned node keeps whole (`src/common/pruning.cpp`). A pruning seed of 0 means a
 * node that is not pruned; 384..391 name stripes 1..8.
 */

/** Neighbouring blocks that a stripe keeps. */
export const STRIPE_SIZE = 4096;
const LOG_STRIPES = 3;
export const STRIPES = 1 << LOG_STRIPES;
/** The newest blocks, which every node keeps. */
export const TIP_BLOCKS = 5500;
const FIRST_SEED = LOG_STRIPES << 7;

/** False for seeds no node of today has. */
export function isPlausibleSeed(seed: number): boolean {
  return seed === 0 || (seed >= FIRST_SEED && seed < FIRST_SEED + STRIPES);
}

/** The seed of a stripe, 1..8. */
export function seedOfStripe(stripe: number): number {
  return FIRST_SEED + stripe - 1;
}

/** The stripe of a seed, 1..8, or 0 when not pruned. */
export function stripeOfSeed(seed: number): number {
  return seed === 0 ? 0 : 1 + (seed & 127);
}

/** The stripe that keeps a block, 1..8, or 0 when all nodes do. */
export function stripeOfHeight(height: number, chainHeight: number): number {
  if (height + TIP_BLOCKS >= chainHeight) return 0;
  return (Math.floor(height / STRIPE_SIZE) % STRIPES) + 1;
}

/** The stripe after `stripe`, going round. */
export function nextStripe(stripe: number): number {
  return 1 + (stripe % STRIPES);
}

/** How many stripes `to` lies ahead of `from`. */
export function stripeDistance(from: number, to: number): number {
  return (to + STRIPES - from) % STRIPES;
}

/**
 * The first height from `height` on whose block a node with that seed and chain height does not hold whole;
 * the chain height when there is none.
 */
export function nextPrunedHeight(height: number, chainHeight: number, seed: number): number {
  const stripe = stripeOfSeed(seed);
  if (stripe === 0 || stripeOfHeight(height, chainHeight) === 0) return chainHeight;
  if (!hasWholeBlock(height, chainHeight, seed)) return height;
  const end = (Math.floor(height / STRIPE_SIZE) + 1) * STRIPE_SIZE;
  return stripeOfHeight(end, chainHeight) === 0 ? chainHeight : end;
}

/** Whether a node with that seed and chain height holds the whole block. */
export function hasWholeBlock(height: number, chainHeight: number, seed: number): boolean {
  const stripe = stripeOfSeed(seed);
  if (stripe === 0) return true;
  const needed = stripeOfHeight(height, chainHeight);
  return needed === 0 || needed === stripe;
}
