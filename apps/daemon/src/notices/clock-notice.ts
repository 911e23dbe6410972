import { median } from '@monero-node/consensus';
import type { Logger, MillisecondClock } from '@monero-node/base';
import type { Alarm } from '../alerts/alert.ts';
import { clockSentence, SET_CLOCK } from './clock-sentence.ts';
import { StandingNotice } from './standing-notice.ts';

/** New blocks whose times are compared with the clock. */
const WINDOW = 11;
const LEAST_SAMPLES = 5;
/** Refused blocks that suggest a slow clock, and the milliseconds for which they count. */
const REFUSED_BLOCKS = 3;
const REFUSED_AGE = 20 * 60_000;

/**
 * Warns when this computer's clock seems wrong: the times of new blocks are compared with it as they arrive. Blocks more than
 * two hours ahead are refused, so a clock that is slower than that stops the node; its peers are not to blame.
 */
export class ClockNotice {
  readonly #unixSeconds: () => number;
  readonly #now: MillisecondClock;
  readonly #notice: StandingNotice;
  /** Seconds by which the newest blocks were ahead of the clock when they arrived. */
  #offsets: number[] = [];
  /** Times at which blocks were refused because they were too far ahead. */
  #refused: number[] = [];

  /**
   * @param unixSeconds the system's clock
   * @param now a monotonic clock
   */
  constructor(unixSeconds: () => number, logger: Logger, now: MillisecondClock, alarm?: Alarm) {
    this.#unixSeconds = unixSeconds;
    this.#now = now;
    this.#notice = new StandingNotice(
      (sentence) => logger.warn(sentence),
      "This computer's clock agrees with the times of new blocks again.",
      now,
      { alarm },
    );
  }

  /** Notes a block that has just been mined. @param timestamp of the block, in seconds since 1970 */
  arrived(timestamp: number): void {
    this.#offsets = [...this.#offsets, timestamp - this.#unixSeconds()].slice(-WINDOW);
    this.#refused = [];
  }

  /** Notes a block that was refused because its time is more than two hours ahead. */
  refused(): void {
    this.#refused = [...this.#refused, this.#now()].slice(-REFUSED_BLOCKS);
  }

  check(): void {
    this.#notice.update(this.#wrong());
  }

  #wrong(): string | undefined {
    const oldest = this.#now() - REFUSED_AGE;
    if (this.#refused.filter((at) => at >= oldest).length === REFUSED_BLOCKS)
      return `Peers send blocks whose times are more than two hours ahead of this computer's clock (${new Date(1000 * this.#unixSeconds()).toISOString()}). They are refused, so the chain does not grow. ${SET_CLOCK}`;
    if (this.#offsets.length < LEAST_SAMPLES) return undefined;
    const sentence = clockSentence(median(this.#offsets.map((each) => Math.round(each))));
    return (
      sentence &&
      `${sentence} ${SET_CLOCK} With a clock that is two hours slow, the node refuses new blocks.`
    );
  }
}
