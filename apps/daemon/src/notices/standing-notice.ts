import type { MillisecondClock } from '@monero-node/base';
import type { Alarm } from '../alerts/alert.ts';

const MINUTE = 60_000;
/** Milliseconds from the first time that a sentence is said to the second, usually. Each later interval is twice as long, up to a day. */
const FIRST_INTERVAL = 10 * MINUTE;
const LONGEST_INTERVAL = 24 * 60 * MINUTE;

/** How a notice is said. */
interface NoticeOptions {
  /** Milliseconds until the sentence is said again; ten minutes when absent. */
  readonly firstInterval?: number;
  /** Raises an alert while something is wrong; none when absent. */
  readonly alarm?: Alarm | undefined;
}

/** A sentence about something wrong: said when it begins, again at growing intervals, and followed by one at the end. */
export class StandingNotice {
  readonly #say: (sentence: string) => void;
  readonly #ended: string;
  readonly #now: MillisecondClock;
  readonly #firstInterval: number;
  readonly #alarm: Alarm | undefined;
  #interval = 0;
  #next = 0;

  /**
   * @param ended the sentence for the end
   * @param now a monotonic clock
   */
  constructor(
    say: (sentence: string) => void,
    ended: string,
    now: MillisecondClock,
    { firstInterval = FIRST_INTERVAL, alarm }: NoticeOptions = {},
  ) {
    this.#say = say;
    this.#ended = ended;
    this.#now = now;
    this.#firstInterval = firstInterval;
    this.#alarm = alarm;
  }

  /** @param wrong what is wrong at present and what to do; undefined while all is well */
  update(wrong: string | undefined): void {
    if (wrong === undefined) {
      this.end();
      return;
    }
    this.#alarm?.update(wrong, this.#ended);
    const now = this.#now();
    if (this.#interval > 0 && now < this.#next) return;
    this.#say(wrong);
    this.#interval =
      this.#interval === 0 ? this.#firstInterval : Math.min(LONGEST_INTERVAL, 2 * this.#interval);
    this.#next = now + this.#interval;
  }

  /**
   * Says that it has ended, if it had begun.
   *
   * @param sentence for an end that is not the usual one
   */
  end(sentence = this.#ended): void {
    this.#alarm?.update(undefined, sentence);
    if (this.#interval > 0) this.#say(sentence);
    this.#interval = 0;
  }
}
