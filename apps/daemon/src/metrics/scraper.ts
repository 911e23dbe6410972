import type { Logger, MillisecondClock, Yielder } from '@monero-node/base';
import type { Registry } from 'prom-client';
import { CollectorRun, type NamedCollector } from './collector-run.ts';
import type { Instruments } from './instruments.ts';

/** Milliseconds for which a result is reused, so that many scrapes cost as much as one. */
const MAX_AGE = 200;
/** Milliseconds that all collectors of a scrape have: half of Prometheus' scrape_timeout of ten seconds. */
const DEADLINE = 5000;

export interface ScraperDependencies {
  /** Returns the time slices of one scrape. */
  readonly yielder: () => Yielder;
  /** Monotonic. */
  readonly now: MillisecondClock;
  readonly logger: Logger;
  /** Milliseconds that all collectors of a scrape have. */
  readonly deadline?: number;
}

/** Reads the present values of all metrics. */
export class Scraper {
  readonly #registry: Registry;
  readonly #metrics: Instruments['scrape'];
  readonly #runs: readonly CollectorRun[];
  readonly #deps: ScraperDependencies;
  #last: { readonly text: Promise<string>; until: number } | undefined;

  /** @param metrics the figures about the scrapes themselves */
  constructor(
    { registry, metrics }: { registry: Registry; metrics: Instruments['scrape'] },
    collectors: readonly NamedCollector[],
    deps: ScraperDependencies,
  ) {
    this.#registry = registry;
    this.#metrics = metrics;
    this.#runs = collectors.map((collector) => new CollectorRun(collector, deps.logger));
    this.#deps = deps;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /**
   * Returns all metrics in Prometheus' text format. Scrapes at the same time share one result. The event loop gets its turns
   * in between. The metrics of a collector that fails or does not end in time are left out, because their last values would
   * pass for the present ones; `monero_scrape_collector_success` is 0 then.
   */
  scrape(): Promise<string> {
    const { now } = this.#deps;
    if (this.#last !== undefined && now() < this.#last.until) return this.#last.text;
    const scrape = { text: this.#read(), until: Infinity };
    this.#last = scrape;
    const settled = (): void => void (scrape.until = now() + MAX_AGE);
    scrape.text.then(settled, () => (scrape.until = 0));
    return scrape.text;
  }

  async #read(): Promise<string> {
    const yielder = this.#deps.yielder();
    const began: Promise<void>[] = [];
    for (const run of this.#runs) {
      began.push(this.#timed(() => run.begin()));
      await yielder.yieldIfDue();
    }
    await this.#untilDeadline(Promise.all(began));
    const missing = new Set(this.#runs.flatMap((run) => run.end()));
    for (const { name, failed } of this.#runs)
      this.#metrics.success.set({ collector: name }, failed ? 0 : 1);
    const texts: string[] = [];
    for (const { name } of this.#registry.getMetricsAsArray()) {
      if (missing.has(name)) continue;
      const start = this.#deps.now();
      texts.push(await this.#registry.getSingleMetricAsString(name));
      this.#addTime(start);
      await yielder.yieldIfDue();
    }
    return `${texts.join('\n\n')}\n`;
  }

  /** Waits for collectors, but no longer than until the deadline. */
  async #untilDeadline(work: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#deps.deadline ?? DEADLINE);
    });
    await Promise.race([work, late]);
    clearTimeout(timer);
  }

  #timed<T>(work: () => T): T {
    const start = this.#deps.now();
    try {
      return work();
    } finally {
      this.#addTime(start);
    }
  }

  #addTime(start: number): void {
    this.#metrics.busy.inc(Math.max(0, this.#deps.now() - start) / 1000);
  }
}
