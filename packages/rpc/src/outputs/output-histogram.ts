import type { Yielder } from '@monero-node/base';
import { SPENDABLE_AGE } from '@monero-node/consensus';
import type { RpcChain } from '../dependencies.ts';
import { sortedAmounts } from './sorted-amounts.ts';

/** How many outputs of an amount there are. */
export interface HistogramEntry {
  readonly amount: bigint;
  readonly total: number;
  /** Old enough to be spent; only counted on request. */
  readonly unlocked: number;
  /** Of the unlocked those not older than the cutoff. */
  readonly recent: number;
}

export interface HistogramRequest {
  /** None = all that exist. */
  readonly amounts: readonly bigint[];
  readonly min_count: bigint;
  /** 0 = no limit. */
  readonly max_count: bigint;
  /** Unix seconds; 0 = don't count recent ones. */
  readonly recent_cutoff: bigint;
  readonly unlocked: boolean;
}

/** Memory of an amount as a bigint of a list, and of its sorted copies. */
const BYTES_PER_AMOUNT = 48;

/** The parts of a call's context that the counting needs. */
interface Call {
  readonly yielder: Yielder;
  readonly holds?: (bytes: number) => void;
}

/** Counts outputs by amount, one after another; amounts whose total is out of bounds are left out. */
export async function* outputHistogram(
  chain: RpcChain,
  request: HistogramRequest,
  call: Call,
): AsyncGenerator<HistogramEntry> {
  const { yielder } = call;
  const { min_count: min, max_count: max, recent_cutoff: cutoff } = request;
  const detailed = request.unlocked || cutoff > 0n;
  for await (const { amount, count } of countsOf(chain, request.amounts, call)) {
    await yielder.yieldIfDue();
    if (BigInt(count) < min || (max !== 0n && BigInt(count) > max)) continue;
    const unlocked = detailed ? unlockedCount(chain, amount) : 0;
    const recent = cutoff > 0n ? await recentCount(chain, amount, cutoff, yielder) : 0;
    yield { amount, total: count, unlocked, recent };
  }
}

/** The amounts asked for, each once and ascending, or all that exist. */
async function* countsOf(
  chain: RpcChain,
  amounts: readonly bigint[],
  { yielder, holds }: Call,
): AsyncGenerator<{ amount: bigint; count: number }> {
  if (amounts.length === 0) {
    const all = [...chain.store.amounts()];
    holds?.(all.length * BYTES_PER_AMOUNT);
    yield* all;
    return;
  }
  holds?.(amounts.length * BYTES_PER_AMOUNT);
  let previous: bigint | undefined;
  for (const amount of await sortedAmounts(amounts, yielder)) {
    if (amount !== previous) yield { amount, count: chain.store.outputCount(amount) };
    previous = amount;
  }
}

/** Outputs old enough to be ring members; longer locks are not looked at. */
function unlockedCount(chain: RpcChain, amount: bigint): number {
  return chain.store.outputCount(amount, Math.max(0, chain.height - SPENDABLE_AGE + 1));
}

/** Unlocked outputs from the newest down to the first block older than `cutoff` (Unix seconds). */
async function recentCount(
  chain: RpcChain,
  amount: bigint,
  cutoff: bigint,
  yielder: Yielder,
): Promise<number> {
  const unlocked = unlockedCount(chain, amount);
  let older = unlocked;
  while (older > 0) {
    await yielder.yieldIfDue();
    const height = chain.store.output(amount, older - 1)?.height;
    const timestamp = height === undefined ? undefined : chain.store.blockMeta(height)?.timestamp;
    if (height === undefined || timestamp === undefined || BigInt(timestamp) < cutoff) break;
    older = chain.store.outputCount(amount, height);
  }
  return unlocked - older;
}
