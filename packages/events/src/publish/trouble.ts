import { monotonicMilliseconds, type Logger, type MillisecondClock } from '@monero-node/base';

const FIRST_PAUSE_MS = 60_000;
const LAST_PAUSE_MS = 3_600_000;

/** Reports to the operator once that events cannot be published, then at growing intervals, and once that they can again. */
export class Trouble {
  readonly #server: string;
  readonly #logger: Logger;
  readonly #now: MillisecondClock;
  #isBad = false;
  #pause = FIRST_PAUSE_MS;
  #silentUntil = 0;

  /** @param server as the operator named it */
  constructor(server: string, logger: Logger, now: MillisecondClock = monotonicMilliseconds) {
    this.#server = server;
    this.#logger = logger;
    this.#now = now;
  }

  failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#logger.debug(`events: ${reason}`);
    const now = this.#now();
    if (this.#isBad && now < this.#silentUntil) return;
    this.#pause = this.#isBad ? Math.min(LAST_PAUSE_MS, this.#pause * 2) : FIRST_PAUSE_MS;
    this.#isBad = true;
    this.#silentUntil = now + this.#pause;
    this.#logger.warn(
      `Events are not published: ${reason}. The node goes on and publishes what is missing later. ` +
        `Check that nats-server runs at ${this.#server} with JetStream (docs/operating/events.md).`,
    );
  }

  worked(): void {
    if (!this.#isBad) return;
    this.#isBad = false;
    this.#logger.info(`Events are published again to ${this.#server}.`);
  }
}
