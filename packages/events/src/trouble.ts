import { monotonicMilliseconds, type Logger, type MillisecondClock } from '@monero-node/base';
import { plainRefusal } from './plain-refusal.ts';
import { withoutControls } from './without-controls.ts';

const FIRST_PAUSE_MS = 60_000;
const LAST_PAUSE_MS = 3_600_000;
/** Most kinds of failure that are told before the pause is over. */
const MAX_KINDS = 8;

export interface TroubleOptions {
  /** Returns the warning about an error. */
  readonly warning: (error: unknown) => string;
  /** The line that says that all works again. */
  readonly relief: string;
  /** Milliseconds for which nothing has to work before there is a line about it; 0 when absent. */
  readonly grace?: number;
  readonly now?: MillisecondClock;
}

/**
 * Tells the operator once that something does not work, then at growing intervals, and once when all of it works again. It may
 * have several parts, which fail and work apart: one that works says nothing of the others. A failure that comes and goes has
 * no more lines than one that stays.
 */
export class Trouble {
  readonly #options: TroubleOptions;
  readonly #logger: Logger;
  readonly #now: MillisecondClock;
  /** The parts that fail, with their errors. */
  readonly #failing = new Map<string, unknown>();
  /** The warnings of the current pause, without their numbers. */
  readonly #told = new Set<string>();
  #isTold = false;
  #pause = 0;
  #silentUntil = -Infinity;
  #badSince = 0;
  /** Whether all had worked for longer than the pause when this trouble began; until it has a line. */
  #isLong = false;
  #wellSince = -Infinity;

  constructor(options: TroubleOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
    this.#now = options.now ?? monotonicMilliseconds;
  }

  /** The warning about a part that fails; undefined while all works. */
  get problem(): string | undefined {
    for (const error of this.#failing.values()) return this.#options.warning(error);
    return undefined;
  }

  /** Returns whether a part has failed since it worked last. */
  isFailing(part: string): boolean {
    return this.#failing.has(part);
  }

  failed(part: string, failure: unknown): void {
    const error = plainRefusal(failure);
    this.#logger.debug(`events: ${part}: ${reasonOf(error)}`);
    const now = this.#now();
    const wasWell = this.#failing.size === 0;
    if (wasWell) {
      this.#badSince = now;
      this.#isLong ||= now - this.#wellSince > this.#pause;
    }
    this.#failing.set(part, error);
    if (now - this.#badSince < (this.#options.grace ?? 0)) return;
    const warning = this.#options.warning(error);
    const kind = warning.replace(/\d+/g, '');
    if (now >= this.#silentUntil) {
      this.#pause = this.#isLong ? FIRST_PAUSE_MS : Math.min(LAST_PAUSE_MS, this.#pause * 2);
      this.#isLong = false;
      this.#silentUntil = now + this.#pause;
      this.#told.clear();
    } else if (this.#told.has(kind) || this.#told.size >= MAX_KINDS) {
      return;
    }
    this.#told.add(kind);
    this.#isTold = true;
    this.#logger.warn(warning);
  }

  worked(part: string): void {
    if (!this.#failing.delete(part) || this.#failing.size > 0) return;
    this.#wellSince = this.#now();
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#logger.info(this.#options.relief);
  }
}

/** Returns the text of an error in one line, without an end of the sentence. A server may have written it. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return withoutControls(text.replace(/\.$/, ''));
}
