import type { Logger, MillisecondClock } from '@monero-node/base';
import type { Alarm } from '../alerts/alert.ts';
import { formatDuration } from '../runtime/sync-progress.ts';
import { StandingNotice } from './standing-notice.ts';

const GIB = 2 ** 30;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Warn below this many free bytes. Mainnet's busiest days needed about a third of that. */
export const LEAST_FREE = GIB;
/** Free bytes at which the warning ends, so that small changes do not end and repeat it. */
const ENOUGH_FREE = 1.25 * GIB;
/** Milliseconds until the disk is full at which the warning of that begins and ends. */
const SOON = 24 * HOUR;
const NOT_SOON = 30 * HOUR;
/** Milliseconds over which the use of the disk is measured, at least and at most. A shorter pause of synchronizing is not its end. */
const LEAST_SPAN = 10 * MINUTE;
const MOST_SPAN = 60 * MINUTE;

export interface DiskSources {
  /** Returns the free bytes of the disk of the data directory. */
  readonly freeSpace: () => Promise<number>;
  readonly dataDir: string;
  /** Whether the chain is being downloaded, which fills the disk. */
  readonly isSynchronizing: () => boolean;
  readonly logger: Logger;
  /** A monotonic clock. */
  readonly now: MillisecondClock;
  readonly alarm?: Alarm;
}

/** Free bytes at a time. */
interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/**
 * Warns when the disk of the data directory is nearly full, or will be within a day of synchronizing at the present rate, and
 * reports when it has space again.
 */
export class DiskNotice {
  readonly #sources: DiskSources;
  readonly #notice: StandingNotice;
  #isLow = false;
  /** What was said last of a disk that will be full soon; undefined while it will not. */
  #soon: string | undefined;
  /** While synchronizing, oldest first. */
  #samples: Sample[] = [];
  /** When a pause of synchronizing began. */
  #pausedAt: number | undefined;

  constructor(sources: DiskSources) {
    this.#sources = sources;
    this.#notice = new StandingNotice(
      (sentence) => sources.logger.warn(sentence),
      `The disk of ${sources.dataDir} has enough space again.`,
      sources.now,
      { alarm: sources.alarm },
    );
  }

  /** Never rejects: a system that cannot say how much is free says nothing. */
  async check(): Promise<void> {
    let bytes: number;
    try {
      bytes = await this.#sources.freeSpace();
    } catch {
      return;
    }
    this.#notice.update(this.#wrong(bytes));
  }

  #wrong(bytes: number): string | undefined {
    const { dataDir } = this.#sources;
    this.#isLow = bytes < (this.#isLow ? ENOUGH_FREE : LEAST_FREE);
    const left = this.#timeLeft(bytes);
    // While the rate is unknown, all stays as it is.
    if (left !== undefined) {
      const isSoon = left < (this.#soon === undefined ? SOON : NOT_SOON);
      this.#soon = isSoon ? this.#fullSoon(bytes, left) : undefined;
    }
    if (this.#isLow)
      return `Only ${Math.floor(bytes / 2 ** 20)} MiB are free on the disk of ${dataDir}. Free some space or move the data directory: the node stops when the disk is full.`;
    return this.#soon;
  }

  #fullSoon(bytes: number, left: number): string {
    const { dataDir } = this.#sources;
    return `The disk of ${dataDir} has ${(bytes / GIB).toFixed(1)} GiB left and will be full in ${formatDuration(left / 1000)} if synchronization goes on at this rate. Free some space, move the data directory, or prune the chain (--prune-blockchain).`;
  }

  /** Returns the milliseconds until the disk is full at the present rate, Infinity when it is not filling; undefined while unknown. */
  #timeLeft(bytes: number): number | undefined {
    const at = this.#sources.now();
    if (!this.#sources.isSynchronizing()) {
      this.#samples = [];
      this.#pausedAt ??= at;
      return at - this.#pausedAt < LEAST_SPAN ? undefined : Infinity;
    }
    this.#pausedAt = undefined;
    this.#samples.push({ at, bytes });
    this.#samples = this.#samples.filter((sample) => at - sample.at <= MOST_SPAN);
    const [oldest] = this.#samples;
    if (oldest === undefined || at - oldest.at < LEAST_SPAN) return undefined;
    if (bytes >= oldest.bytes) return Infinity;
    return (bytes * (at - oldest.at)) / (oldest.bytes - bytes);
  }
}

/** Shares of the limit at which the notice begins and ends. */
const FULL = 0.98;
const ROOMY = 0.9;

/** Warns when the transaction pool is full, and reports when it has room again. */
export class PoolNotice {
  readonly #weight: () => number;
  readonly #limit: number;
  readonly #notice: StandingNotice;
  #isFull = false;

  /**
   * @param weight returns the weight of all transactions in the pool
   * @param limit weight at which the pool evicts transactions
   * @param now a monotonic clock
   */
  constructor(
    weight: () => number,
    limit: number,
    logger: Logger,
    now: MillisecondClock,
    alarm?: Alarm,
  ) {
    this.#weight = weight;
    this.#limit = limit;
    this.#notice = new StandingNotice(
      (sentence) => logger.warn(sentence),
      'The transaction pool has room again.',
      now,
      { alarm },
    );
  }

  check(): void {
    const share = this.#weight() / this.#limit;
    this.#isFull = share >= (this.#isFull ? ROOMY : FULL);
    this.#notice.update(
      this.#isFull
        ? `The transaction pool is full: ${(this.#weight() / 1e6).toFixed(1)} of ${(this.#limit / 1e6).toFixed(1)} MB. The transactions with the lowest fees are dropped; --max-txpool-weight sets the limit.`
        : undefined,
    );
  }
}

/** Has the log file made again when it was removed, warns when that fails, and reports when there is a file again. */
export class LogFileNotice {
  readonly #restore: () => Promise<string | undefined>;
  readonly #notice: StandingNotice;

  /**
   * @param restore makes the file again when it was removed; resolves with what is wrong and what to do, and never rejects
   * @param now a monotonic clock
   */
  constructor(
    restore: () => Promise<string | undefined>,
    logger: Logger,
    now: MillisecondClock,
    alarm?: Alarm,
  ) {
    this.#restore = restore;
    const say = (sentence: string): void => logger.warn(sentence);
    this.#notice = new StandingNotice(say, 'The log file is there again.', now, { alarm });
  }

  async check(): Promise<void> {
    this.#notice.update(await this.#restore());
  }
}
