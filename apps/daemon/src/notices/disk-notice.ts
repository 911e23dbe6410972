import type { Logger, MillisecondClock } from '@monero-node/base';
import { StandingNotice } from './standing-notice.ts';

const GIB = 2 ** 30;

/** Warn below this many free bytes. Mainnet's busiest days needed about a third of that. */
const LEAST_FREE = GIB;
/** Free bytes at which the warning ends, so that small changes do not end and repeat it. */
const ENOUGH_FREE = 1.25 * GIB;

/** Warns when the disk of the data directory is nearly full, and reports when it has space again. */
export class DiskNotice {
  readonly #freeSpace: () => Promise<number>;
  readonly #dataDir: string;
  readonly #notice: StandingNotice;
  #isLow = false;

  /**
   * @param freeSpace returns the free bytes of the disk of the data directory
   * @param now a monotonic clock
   */
  constructor(
    freeSpace: () => Promise<number>,
    dataDir: string,
    logger: Logger,
    now: MillisecondClock,
  ) {
    this.#freeSpace = freeSpace;
    this.#dataDir = dataDir;
    this.#notice = new StandingNotice(
      (sentence) => logger.warn(sentence),
      `The disk of ${dataDir} has space again.`,
      now,
    );
  }

  /** Never rejects: a system that cannot say how much is free says nothing. */
  async check(): Promise<void> {
    let bytes: number;
    try {
      bytes = await this.#freeSpace();
    } catch {
      return;
    }
    this.#isLow = bytes < (this.#isLow ? ENOUGH_FREE : LEAST_FREE);
    this.#notice.update(
      this.#isLow
        ? `Only ${Math.floor(bytes / 2 ** 20)} MiB are free on the disk of ${this.#dataDir}. Free some space or move the data directory: the node stops when the disk is full.`
        : undefined,
    );
  }
}
