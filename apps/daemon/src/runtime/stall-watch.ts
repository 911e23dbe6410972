import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import type { Logger } from '@monero-node/base';

/** Milliseconds between two looks at the event loop. */
const RESOLUTION = 5;

/**
 * Measures the longest stall of the event loop for one line of the log at the debug level. The measurement wakes the process
 * 200 times a second, which is most of the work of an idle node, so it is made only when that line will be written.
 */
export class StallWatch {
  readonly #logger: Logger;
  readonly #delays: IntervalHistogram | undefined;

  /** @param isLogged whether the log takes lines of the debug level */
  constructor(logger: Logger, isLogged: boolean) {
    this.#logger = logger;
    this.#delays = isLogged ? monitorEventLoopDelay({ resolution: RESOLUTION }) : undefined;
  }

  start(): void {
    this.#delays?.enable();
  }

  /** Ends the measurement and logs its result. */
  stop(): void {
    if (this.#delays === undefined) return;
    this.#delays.disable();
    this.#logger.debug(`event loop: longest stall ${(this.#delays.max / 1e6).toFixed(0)} ms`);
  }
}
