import {
  blockReward,
  COINBASE_RESERVED_SIZE,
  ConsensusError,
  type ForkRules,
} from '@monero-node/consensus';
import { toHex } from '@monero-node/codec';

/** What the choice depends on. */
export interface BlockFrame {
  /** Of the next block. */
  readonly rules: ForkRules;
  /** Half the weight limit. */
  readonly medianWeight: number;
  /** Of all blocks below. */
  readonly generatedCoins: bigint;
}

interface Candidate {
  readonly weight: number;
  readonly fee: bigint;
  readonly keyImages: readonly Uint8Array[];
}

export interface BlockFill<T> {
  readonly transactions: T[];
  /** Without the miner transaction. */
  readonly weight: number;
  /** Atomic units. */
  readonly fees: bigint;
  /** Reward and fees; atomic units. */
  readonly expectedReward: bigint;
}

/** The median from which on forks let a block grow to twice of it, for a penalty. */
const PENALTY_FORKS_ZONE = 300_000;

/**
 * Chooses transactions for a block out of candidates, best paid first. Source: fill_block_template in
 * src/cryptonote_core/tx_pool.cpp.
 *
 * @param isReady asked only of those that would fit and pay
 */
export async function fillBlock<T extends Candidate>(
  candidates: Iterable<T>,
  frame: BlockFrame,
  isReady: (candidate: T) => boolean | Promise<boolean>,
): Promise<BlockFill<T>> {
  const { medianWeight } = frame;
  const optimised = frame.rules.minBlockWeight >= PENALTY_FORKS_ZONE;
  const limit = weightLimit(optimised, medianWeight);
  const transactions: T[] = [];
  const spent = new Set<string>();
  let weight = 0;
  let fees = 0n;
  // Before the optimisation came, the expected reward was that of an empty block.
  let best = reward(frame, 0) ?? 0n;
  for (const candidate of candidates) {
    if (weight + candidate.weight > limit) continue;
    let next = best;
    if (optimised) {
      const base = reward(frame, weight + candidate.weight);
      if (base === undefined) continue;
      next = base + fees + candidate.fee;
      if (next < best) continue;
    } else if (weight > medianWeight) break;
    if (!(await isReady(candidate))) continue;
    const keys = candidate.keyImages.map(toHex);
    if (keys.some((key) => spent.has(key))) continue;
    for (const key of keys) spent.add(key);
    transactions.push(candidate);
    weight += candidate.weight;
    fees += candidate.fee;
    best = next;
  }
  return { transactions, weight, fees, expectedReward: best };
}

/** Of the transactions of a block; the reward sets another. */
function weightLimit(optimised: boolean, medianWeight: number): number {
  const limit = Math.floor(((optimised ? 200 : 130) * medianWeight) / 100) - COINBASE_RESERVED_SIZE;
  // A small median, which only blocks off the tip are made with, makes upstream's unsigned number wrap round.
  return limit < 0 ? Infinity : limit;
}

function reward(
  { rules, medianWeight, generatedCoins }: BlockFrame,
  weight: number,
): bigint | undefined {
  try {
    return blockReward({ rules, medianWeight, blockWeight: weight, generatedCoins });
  } catch (error) {
    if (error instanceof ConsensusError) return undefined;
    throw error;
  }
}

/**
 * Candidates for miners who make their own templates: all if they fit nine eighths of the median, in the order
 * given, else the best paid. Source: get_block_template_backlog in src/cryptonote_core/tx_pool.cpp.
 */
export function fillBacklog<T extends Candidate>(
  candidates: readonly T[],
  medianWeight: number,
  isReady: (candidate: T) => boolean,
): T[] {
  const limit = medianWeight + Math.floor(medianWeight / 8);
  const total = candidates.reduce((sum, { weight }) => sum + weight, 0);
  const ordered = total > limit ? [...candidates].sort(byFeePerWeight) : candidates;
  const backlog: T[] = [];
  const spent = new Set<string>();
  let weight = 0;
  for (const candidate of ordered) {
    if (!isReady(candidate)) continue;
    const keys = candidate.keyImages.map(toHex);
    if (keys.some((key) => spent.has(key))) continue;
    for (const key of keys) spent.add(key);
    backlog.push(candidate);
    weight += candidate.weight;
    if (weight > limit) break;
  }
  return backlog;
}

function byFeePerWeight(a: Candidate, b: Candidate): number {
  const [left, right] = [a.fee * BigInt(b.weight), b.fee * BigInt(a.weight)];
  if (left === right) return 0;
  return left > right ? -1 : 1;
}
