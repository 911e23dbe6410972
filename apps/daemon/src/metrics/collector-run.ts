import type { Logger } from '@monero-node/base';
import type { Collector } from './collectors/collector.ts';

/** A collector with what it sets. */
export interface NamedCollector {
  readonly name: string;
  /** Names of the metrics that only this collector sets. */
  readonly metrics: readonly string[];
  readonly collect: Collector;
}

/** Runs one collector again and again, never twice at a time, and logs when it begins and ends to fail. */
export class CollectorRun {
  readonly #collector: NamedCollector;
  readonly #logger: Logger;
  /** Undefined while none is under way. */
  #pending: Promise<void> | undefined;
  #error: string | undefined;
  #isFailing = false;

  constructor(collector: NamedCollector, logger: Logger) {
    this.#collector = collector;
    this.#logger = logger;
  }

  get name(): string {
    return this.#collector.name;
  }

  /** Whether the collector had failed or had not ended at the last {@link CollectorRun.end}. */
  get failed(): boolean {
    return this.#isFailing;
  }

  /**
   * Starts the collector unless it still runs since an earlier scrape. Resolves when it has ended; never rejects, because
   * {@link CollectorRun.end} reports failures.
   */
  begin(): Promise<void> {
    // The end is noticed out here, because a collector may throw at once.
    this.#pending ??= this.#run().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  /** Ends the wait for this collector. Returns the names of the metrics that have no present value. */
  end(): readonly string[] {
    const why = this.#pending === undefined ? this.#error : 'it does not end';
    const { name, metrics } = this.#collector;
    if (why !== undefined && !this.#isFailing)
      this.#logger.error(`metrics: ${name} cannot be read and is left out until it can: ${why}`);
    if (why === undefined && this.#isFailing)
      this.#logger.info(`metrics: ${name} can be read again`);
    this.#isFailing = why !== undefined;
    return this.#isFailing ? metrics : [];
  }

  async #run(): Promise<void> {
    try {
      await this.#collector.collect();
      this.#error = undefined;
    } catch (error) {
      this.#error = error instanceof Error ? error.message : String(error);
    }
  }
}
