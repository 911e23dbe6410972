import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of both halves of the young generation at most. V8 would let it grow to 32 MiB, which makes nothing faster here. */
const MOST_BYTES = 8 * 1024 * 1024;
/** From the first size, 1 MiB for each half, to the last one in one step. */
const GROWTH = 4;

/**
 * Keeps V8's young generation at its first size until `releaseYoungGeneration`. Loading modules would make it grow to its
 * largest size, which an idle process keeps for hours.
 */
export function holdYoungGeneration(): void {
  setGrowth(1);
}

/** Lets the young generation grow with the work, up to 8 MiB. V8 makes it smaller again when the node is idle. */
export function releaseYoungGeneration(): void {
  let factor = GROWTH;
  setGrowth(factor);
  new PerformanceObserver(() => {
    const wanted = youngBytes() < MOST_BYTES ? GROWTH : 1;
    if (wanted === factor) return;
    factor = wanted;
    setGrowth(factor);
  }).observe({ entryTypes: ['gc'] });
}

function setGrowth(factor: number): void {
  // V8 reads this flag whenever it may grow; a factor of 1 keeps the size.
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

function youngBytes(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find((space) => space.space_name === 'new_space')?.space_size ?? MOST_BYTES;
}
