import type { Logger, MillisecondClock } from '@monero-node/base';

/** Looks in which the reasons have to be the same before there is a line. */
const LOOKS = 2;
/** Lines in a minute; a node that comes and goes has no more. */
const LINES_A_MINUTE = 6;
const MINUTE = 60_000;

/** Writes a line for each change of whether this node is ready, and of the reasons. For nodes that a balancer watches. */
export class ReadyNotice {
  readonly #notReady: () => readonly string[];
  readonly #logger: Logger;
  readonly #now: MillisecondClock;
  /** What the log said last; undefined before its first line. */
  #told: string | undefined;
  #seen = '';
  #looks = 0;
  #lines = 0;
  #minute: number;

  /** @param notReady returns the reasons of `/health/ready` @param now a monotonic clock */
  constructor(notReady: () => readonly string[], logger: Logger, now: MillisecondClock) {
    this.#notReady = notReady;
    this.#logger = logger;
    this.#now = now;
    this.#minute = now();
  }

  /** To be called once a second. */
  check(): void {
    const reasons = this.#notReady().join(', ');
    this.#looks = reasons === this.#seen ? this.#looks + 1 : 1;
    this.#seen = reasons;
    const now = this.#now();
    if (now - this.#minute >= MINUTE) {
      this.#minute = now;
      this.#lines = 0;
    }
    if (reasons === this.#told || this.#looks < LOOKS || this.#lines >= LINES_A_MINUTE) return;
    this.#lines++;
    this.#told = reasons;
    if (reasons === '') this.#logger.info('This node is ready (/health/ready).');
    else this.#logger.warn(`This node is not ready (/health/ready): ${reasons}.`);
  }
}
