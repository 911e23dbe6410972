import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { Worker } from 'node:worker_threads';

/** Bytes of both halves of the young generation at most. V8 would let it grow to 32 MiB, which makes nothing faster here. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Bytes from which the young generation may not grow. */
let most = Infinity;

/**
 * Keeps V8's young generation at its first size until `releaseYoungGeneration`. Loading modules would make it grow to its
 * largest size, which an idle process keeps for hours.
 */
export function holdYoungGeneration(): void {
  most = 0;
  limitGrowth();
  // V8 sets the factor back to 2 whenever it makes an isolate (Heap::ConfigureHeap), as each worker has one.
  process.on('worker', (worker: Worker) => worker.once('online', limitGrowth));
}

/** Lets the young generation grow with the work, up to 8 MiB. V8 makes it smaller again when the node is idle. */
export function releaseYoungGeneration(): void {
  most = MOST_BYTES;
  limitGrowth();
  new PerformanceObserver(limitGrowth).observe({ entryTypes: ['gc'] });
}

function limitGrowth(): void {
  // V8 reads this flag whenever it may grow; a factor of 1 keeps the size.
  setFlagsFromString(`--semi-space-growth-factor=${youngBytes() < most ? 2 : 1}`);
}

function youngBytes(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find((space) => space.space_name === 'new_space')?.space_size ?? Infinity;
}
