import type { MillisecondClock, Yielder } from '@monero-node/base';
import type { Registry } from 'prom-client';
import type { Collector } from './collectors/collector.ts';

/** Milliseconds for which a result is reused, so that many scrapes cost as much as one. */
const MAX_AGE = 200;

export interface ScraperDependencies {
  /** Returns the time slices of one scrape. */
  readonly yielder: () => Yielder;
  /** Monotonic. */
  readonly now: MillisecondClock;
}

/** Reads the present values of all metrics. */
export class Scraper {
  readonly #registry: Registry;
  readonly #collectors: readonly Collector[];
  readonly #deps: ScraperDependencies;
  #last: { readonly text: Promise<string>; until: number } | undefined;

  constructor(registry: Registry, collectors: readonly Collector[], deps: ScraperDependencies) {
    this.#registry = registry;
    this.#collectors = collectors;
    this.#deps = deps;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /**
   * Returns all metrics in Prometheus' text format. Scrapes at the same time share one result. The event loop gets its turns
   * in between. Throws what a collector throws.
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
    for (const collect of this.#collectors) {
      await collect();
      await yielder.yieldIfDue();
    }
    const texts: string[] = [];
    for (const { name } of this.#registry.getMetricsAsArray()) {
      texts.push(await this.#registry.getSingleMetricAsString(name));
      await yielder.yieldIfDue();
    }
    return `${texts.join('\n\n')}\n`;
  }
}
