import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { Worker } from 'node:worker_threads';

/**
 * Bytes of both halves of the young generation at most, or twice as many where it doubled twice before this was noticed. Without a
 * limit it grows to 32 MiB, which makes nothing faster here; 8 MiB cost RPC calls a tenth to a fifth of their processor time.
 */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Keeps V8's young generation at its first size. Loading modules would make it grow to its largest size, which an idle process
 * keeps for hours. Call it once in a process.
 *
 * Returns a function that lets it grow with the work from then on, up to 16 MiB. V8 makes it smaller again when the node is idle.
 */
export function holdYoungGeneration(): () => void {
  /** Bytes beyond which the young generation may not double. */
  let most = 0;
  const limitGrowth = (): void => {
    // V8 reads this flag whenever it may grow; a factor of 1 keeps the size.
    setFlagsFromString(`--semi-space-growth-factor=${youngBytes() * 2 <= most ? 2 : 1}`);
  };
  limitGrowth();
  // V8 sets the factor back to 2 whenever it makes an isolate (Heap::ConfigureHeap), as each worker has one.
  process.on('worker', (worker: Worker) => worker.once('online', limitGrowth));
  return () => {
    most = MOST_BYTES;
    limitGrowth();
    new PerformanceObserver(limitGrowth).observe({ entryTypes: ['gc'] });
  };
}

/** Returns the bytes that both halves may take: newer versions of V8 take them from the system only when they fill. */
function youngBytes(): number {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  if (young === undefined) return Infinity;
  return 2 * (young.space_used_size + young.space_available_size);
}
