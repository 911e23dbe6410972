import type { Yielder } from '@monero-node/base';

/** Amounts sorted in one go, which takes about a millisecond. */
const RUN = 16_384;
/** Amounts merged between two looks at the clock. */
const MERGED_PER_STEP = 4096;

/** Returns amounts (atomic units, below 2^64) in ascending order, equal ones included; sorts hundreds of thousands in slices. */
export async function sortedAmounts(
  amounts: readonly bigint[],
  yielder: Yielder,
): Promise<BigUint64Array> {
  let from = new BigUint64Array(amounts.length);
  for (let start = 0; start < amounts.length; start += RUN) {
    from.set(amounts.slice(start, start + RUN), start);
    from.subarray(start, start + RUN).sort();
    await yielder.yieldIfDue();
  }
  let to = new BigUint64Array(amounts.length);
  for (let run = RUN; run < amounts.length; run *= 2) {
    for (let start = 0; start < amounts.length; start += 2 * run) {
      await merge(from, to, { start, run }, yielder);
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two neighboring sorted runs. */
async function merge(
  from: BigUint64Array,
  to: BigUint64Array,
  { start, run }: { readonly start: number; readonly run: number },
  yielder: Yielder,
): Promise<void> {
  const middle = Math.min(start + run, from.length);
  const end = Math.min(start + 2 * run, from.length);
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const takeLeft =
      right >= end || (left < middle && (from[left] as bigint) <= (from[right] as bigint));
    to[at] = from[takeLeft ? left++ : right++] as bigint;
    if (at % MERGED_PER_STEP === 0) await yielder.yieldIfDue();
  }
}
