import { monotonicMilliseconds, type Logger, type MillisecondClock } from '@monero-node/base';
import { plainRefusal } from './plain-refusal.ts';
import { withoutControls } from './without-controls.ts';

const FIRST_PAUSE_MS = 60_000;
const LAST_PAUSE_MS = 3_600_000;
/** Most kinds of failure that are told before the pause is over. */
const MAX_KINDS = 8;
/** Milliseconds for which all has to work before what fails is another outage. */
const SETTLED_MS = 10_000;
/** Most outages that are told one after the other, and milliseconds after which one more may be. */
const MOST_OUTAGES = 20;
const MS_PER_OUTAGE = 3_600_000;
const OFTEN = ' It comes and goes: from now on it is told at most once an hour.';

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
 * have several parts, which fail and work apart: one that works says nothing of the others. When it fails again after all has worked for
 * ten seconds, that is another outage with a line of its own; of one that comes and goes for ever, an outage an hour is told, after the first twenty.
 */
export class Trouble {
  readonly #options: TroubleOptions;
  readonly #logger: Logger;
  readonly #now: MillisecondClock;
  /** The parts that fail, with their errors. */
  readonly #failing = new Map<string, unknown>();
  /** The warnings of the current pause, without their numbers. */
  readonly #told = new Set<string>();
  /** Whether there is a line that the end of the outage has to follow. */
  #isTold = false;
  /** When the outage that was told last ended. */
  #wellSince = -Infinity;
  /** Whether what fails is the outage that was told last, and had seemed over. */
  #isSame = false;
  #pause = 0;
  #silentUntil = -Infinity;
  #badSince = 0;
  /** Outages that may be told now, with the part of the next one. */
  #budget = MOST_OUTAGES;
  #budgetAt = 0;
  /** Whether it was said that not all outages are told. */
  #isOftenTold = false;

  constructor(options: TroubleOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
    this.#now = options.now ?? monotonicMilliseconds;
    this.#budgetAt = this.#now();
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
    if (this.#failing.size === 0) {
      this.#badSince = now;
      this.#isSame = this.#told.size > 0 && now - this.#wellSince < SETTLED_MS;
    }
    this.#failing.set(part, error);
    // After its end was told, one that stays away for as long is another one.
    if (!this.#isTold && now - this.#badSince >= SETTLED_MS) this.#isSame = false;
    if (now - this.#badSince < (this.#options.grace ?? 0)) return;
    const warning = this.#options.warning(error);
    if (this.#isTold || this.#isSame) this.#tellAgain(warning, now);
    else this.#tellFirst(warning, now);
  }

  worked(part: string): void {
    if (!this.#failing.delete(part) || this.#failing.size > 0) return;
    if (this.#isTold || this.#isSame) this.#wellSince = this.#now();
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#logger.info(this.#options.relief);
  }

  /** Tells that an outage has begun, unless too many were told lately. */
  #tellFirst(warning: string, now: number): void {
    this.#budget = Math.min(MOST_OUTAGES, this.#budget + (now - this.#budgetAt) / MS_PER_OUTAGE);
    this.#budgetAt = now;
    if (this.#budget === MOST_OUTAGES) this.#isOftenTold = false;
    if (this.#budget < 1) return;
    this.#budget--;
    this.#pause = FIRST_PAUSE_MS;
    const isOften = this.#budget < 1 && !this.#isOftenTold;
    this.#isOftenTold ||= isOften;
    this.#tell(warning, now, isOften ? OFTEN : '');
  }

  /** Tells of an outage that goes on when the pause is over, and at once for another reason. */
  #tellAgain(warning: string, now: number): void {
    if (now >= this.#silentUntil) {
      this.#pause = Math.min(LAST_PAUSE_MS, this.#pause * 2);
      this.#tell(warning, now);
    } else if (!this.#told.has(kindOf(warning)) && this.#told.size < MAX_KINDS) {
      this.#told.add(kindOf(warning));
      this.#isTold = true;
      this.#logger.warn(warning);
    }
  }

  /** Writes a line, after which there is a pause. */
  #tell(warning: string, now: number, more = ''): void {
    this.#silentUntil = now + this.#pause;
    this.#isTold = true;
    this.#told.clear();
    this.#told.add(kindOf(warning));
    this.#logger.warn(warning + more);
  }
}

/** Returns a warning without its numbers, which may change from one to the next. */
function kindOf(warning: string): string {
  return warning.replace(/\d+/g, '');
}

/** Returns the text of an error in one line, without an end of the sentence. A server may have written it. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return withoutControls(text.replace(/\.$/, ''));
}
