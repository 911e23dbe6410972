import { median } from '../primitives/median.ts';
import type { ForkRules, Fraction } from '../forks/fork-table.ts';

/** Medians that apply to the next block, all in units of weight. `blockReward` refuses a block that is too heavy. */
export interface WeightState {
  /** Median of the last 100 block weights, without a lower bound. */
  readonly shortTermMedian: number;
  /** Median of the last 100,000 long-term weights, at least the long-term zone. */
  readonly longTermMedian: number;
  /** The `block_weight_median` of the RPC. */
  readonly effectiveMedian: number;
  /** The median that sets the penalty; twice that is the heaviest block allowed. */
  readonly rewardMedian: number;
  /** Twice the effective median: the limit of templates, and of the bytes of a block. */
  readonly limit: number;
}

/**
 * Returns the medians that apply to the next block.
 *
 * Source: Blockchain::update_next_cumulative_weight_limit and validate_miner_transaction in
 * src/cryptonote_core/blockchain.cpp.
 *
 * @param rules of the next block
 * @param last100Weights of the newest up to 100 blocks, including genesis, any order
 * @param longTermMedian raw median of the newest up to 100,000 long-term weights
 *   (LongTermMedian.median); not used under forks without long-term weights
 */
export function computeWeightState(
  rules: ForkRules,
  last100Weights: readonly number[],
  longTermMedian: number,
): WeightState {
  return weightStateOf(rules, median(last100Weights), longTermMedian);
}

/**
 * Returns the medians that apply to the next block, as {@link computeWeightState} does, for a caller that keeps both.
 *
 * Source: Blockchain::update_next_cumulative_weight_limit in src/cryptonote_core/blockchain.cpp.
 *
 * @param shortTerm raw median of the weights of the newest up to 100 blocks, including genesis
 */
export function weightStateOf(
  rules: ForkRules,
  shortTerm: number,
  longTermMedian: number,
): WeightState {
  const longTerm = Math.max(rules.longTermZone, longTermMedian);
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
      return Math.min(Math.max(rules.longTermZone, shortTerm), rules.surgeFactor * longTerm);
    case 'long-term-median':
      return Math.min(Math.max(longTerm, shortTerm), rules.surgeFactor * longTerm);
  }
}

/**
 * Returns the long-term weight of a block: its weight, bounded around the long-term median.
 *
 * Source: Blockchain::get_next_long_term_block_weight in src/cryptonote_core/blockchain.cpp.
 *
 * @param rules of the block itself
 * @param longTermMedian raw median of the long-term weights of the blocks below it
 */
export function longTermWeight(
  rules: ForkRules,
  blockWeight: number,
  longTermMedian: number,
): number {
  const bounds = rules.longTermWeight;
  if (bounds === undefined) return blockWeight;
  const around = Math.max(rules.longTermZone, longTermMedian);
  const lowest = bounds.floor === undefined ? 0 : scale(around, bounds.floor);
  return Math.min(Math.max(blockWeight, lowest), around + scale(around, bounds.growth));
}

function scale(weight: number, by: Fraction): number {
  return Math.floor((weight * by.numerator) / by.denominator);
}
