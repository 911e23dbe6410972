import { median } from './median.ts';
import type { ForkRules, Fraction } from './rules.ts';

/** The smallest effective long-term median, and the zone that fees are scaled by. */
export const LONG_TERM_ZONE = 300_000;
/** How many long-term medians the effective median may reach in a surge. */
const SURGE_FACTOR = 50;

/** Medians that hold for the next block; weights. */
export interface WeightState {
  /** Median of the last 100 block weights, as it is. */
  readonly shortTermMedian: number;
  /** Median of the last 100,000 long-term weights, at least 300,000. */
  readonly longTermMedian: number;
  /** What RPC calls the block weight median. */
  readonly effectiveMedian: number;
  /** Sets the penalty and, doubled, the heaviest block allowed. */
  readonly rewardMedian: number;
  /** Twice the effective median: limit for templates and for a block's bytes. */
  readonly limit: number;
}

/**
 * The medians of the next block. Source: update_next_cumulative_weight_limit and
 * validate_miner_transaction in src/cryptonote_core/blockchain.cpp.
 *
 * @param rules of the next block
 * @param last100Weights of the newest up to 100 blocks, genesis included, any order
 * @param longTermMedian raw median of the newest up to 100,000 long-term weights
 *   (LongTermMedian.median); not looked at by forks without one
 */
export function computeWeightState(
  rules: ForkRules,
  last100Weights: readonly number[],
  longTermMedian: number,
): WeightState {
  const shortTerm = median(last100Weights);
  const longTerm = Math.max(LONG_TERM_ZONE, longTermMedian);
  const atLeastZone = (weight: number) => Math.max(rules.minBlockWeight, weight);
  const effective = atLeastZone(boundShortTerm(rules, shortTerm, longTerm));
  return {
    shortTermMedian: shortTerm,
    longTermMedian: longTerm,
    effectiveMedian: effective,
    rewardMedian: rules.rewardMedian === 'effective' ? effective : atLeastZone(shortTerm),
    limit: 2 * effective,
  };
}

function boundShortTerm(rules: ForkRules, shortTerm: number, longTerm: number): number {
  switch (rules.effectiveMedianFloor) {
    case 'none':
      return shortTerm;
    case 'min-zone':
      return Math.min(Math.max(LONG_TERM_ZONE, shortTerm), SURGE_FACTOR * longTerm);
    case 'long-term-median':
      return Math.min(Math.max(longTerm, shortTerm), SURGE_FACTOR * longTerm);
  }
}

/**
 * Long-term weight of a block, from its weight. Source: get_next_long_term_block_weight in
 * src/cryptonote_core/blockchain.cpp.
 *
 * @param rules of the block itself
 * @param longTermMedian raw median over the blocks below it
 */
export function longTermWeight(
  rules: ForkRules,
  blockWeight: number,
  longTermMedian: number,
): number {
  const bounds = rules.longTermWeight;
  if (bounds === undefined) return blockWeight;
  const around = Math.max(LONG_TERM_ZONE, longTermMedian);
  const lowest = bounds.floor === undefined ? 0 : scale(around, bounds.floor);
  return Math.min(Math.max(blockWeight, lowest), around + scale(around, bounds.growth));
}

function scale(weight: number, by: Fraction): number {
  return Math.floor((weight * by.numerator) / by.denominator);
}
