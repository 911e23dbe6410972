import {
  constants,
  monitorEventLoopDelay,
  performance,
  PerformanceObserver,
  type PerformanceEntry,
  type IntervalHistogram,
} from 'node:perf_hooks';
import { setTotals, type Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

/** Milliseconds between two looks at the delay of the event loop; each wakes an idle process. */
const RESOLUTION = 20;

const GC_KINDS = new Map<number | undefined, string>([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak_callbacks'],
]);

/** Node's types lack the detail. */
type GcEntry = PerformanceEntry & { readonly detail?: { readonly kind?: number } };

/** Measures garbage collections and the delay of the event loop while it runs. */
export class ProcessWatch {
  readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  readonly #collections: PerformanceObserver;

  constructor(metrics: Pick<Instruments['process'], 'gc'>) {
    for (const kind of GC_KINDS.values()) metrics.gc.zero({ kind });
    this.#collections = new PerformanceObserver((list) => {
      for (const { detail, duration } of list.getEntries() as GcEntry[]) {
        const kind = GC_KINDS.get(detail?.kind);
        if (kind !== undefined) metrics.gc.observe({ kind }, duration / 1000);
      }
    });
  }

  start(): void {
    this.delay.enable();
    this.#collections.observe({ entryTypes: ['gc'] });
  }

  stop(): void {
    this.delay.disable();
    this.#collections.disconnect();
  }
}

/** Returns the collector of the figures about this process. */
export function processCollector(
  metrics: Instruments['process'],
  { delay }: Pick<ProcessWatch, 'delay'>,
): Collector {
  return () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    metrics.startTime.set(performance.timeOrigin / 1000);
    setTotals(metrics.cpu, [
      [{ mode: 'user' }, user / 1e6],
      [{ mode: 'system' }, system / 1e6],
    ]);
    metrics.resident.set(rss);
    metrics.heap.set({ state: 'used' }, heapUsed);
    metrics.heap.set({ state: 'reserved' }, heapTotal);
    metrics.external.set(external);
    setTotals(metrics.loopActive, [[{}, performance.eventLoopUtilization().active / 1000]]);
    metrics.loopDelayMax.set(secondsLate(delay.max));
    metrics.loopDelay99.set(secondsLate(delay.percentile(99)));
    delay.reset();
  };
}

/** Returns by how much a timer was late, from nanoseconds between two of its ticks. */
function secondsLate(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - RESOLUTION) / 1000;
}
