import { monotonicMilliseconds } from '@monero-node/base';

/**
 * How old the reading of the processor time may be with which a message begins, milliseconds. Work of others in that time may be counted
 * for it, though never more than passes by the clock.
 */
const MAX_AGE = 5;

/** What {@link WorkMeter} reads: the milliseconds of a monotonic clock, and those of processor time of this process. */
export interface WorkClocks {
  readonly now: () => number;
  readonly cpu: () => number;
}

const OWN_CLOCKS: WorkClocks = { now: monotonicMilliseconds, cpu: cpuMilliseconds };

/** Returns the processor time of all threads of this process. A reading takes some microseconds. */
function cpuMilliseconds(): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1000;
}

/**
 * Measures the work on messages: the milliseconds that passed, but not more than the processor time of this process, so that a peer does
 * not pay for a machine that is busy otherwise. The processor time is read only for messages that take long, and shortly before them.
 */
export class WorkMeter {
  readonly #clocks: WorkClocks;
  #cpu = 0;
  #readAt = -Infinity;

  constructor(clocks: WorkClocks = OWN_CLOCKS) {
    this.#clocks = clocks;
  }

  /**
   * Begins to measure. Returns a function that returns the milliseconds of work since.
   *
   * @returns given a minimum that is paid anyway, less than it may be returned as the time that passed by the clock
   */
  begin(): (minimum: number) => number {
    const started = this.#clocks.now();
    if (started - this.#readAt > MAX_AGE) this.#read(started);
    const before = this.#cpu;
    return (minimum) => {
      const ended = this.#clocks.now();
      const passed = ended - started;
      if (passed <= minimum) return passed;
      this.#read(ended);
      return Math.min(passed, this.#cpu - before);
    };
  }

  #read(now: number): void {
    this.#cpu = this.#clocks.cpu();
    this.#readAt = now;
  }
}
