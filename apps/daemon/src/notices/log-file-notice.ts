import type { Logger, MillisecondClock } from '@monero-node/base';
import { StandingNotice } from './standing-notice.ts';

/** Has the log file made again when it was removed, warns when that fails, and reports when there is a file again. */
export class LogFileNotice {
  readonly #restore: () => Promise<string | undefined>;
  readonly #notice: StandingNotice;

  /**
   * @param restore makes the file again when it was removed; resolves with what is wrong and what to do, and never rejects
   * @param now a monotonic clock
   */
  constructor(restore: () => Promise<string | undefined>, logger: Logger, now: MillisecondClock) {
    this.#restore = restore;
    const say = (sentence: string): void => logger.warn(sentence);
    this.#notice = new StandingNotice(say, 'The log file is there again.', now);
  }

  async check(): Promise<void> {
    this.#notice.update(await this.#restore());
  }
}
