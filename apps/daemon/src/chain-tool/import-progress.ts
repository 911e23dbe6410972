import { monotonicMilliseconds, type Logger } from '@monero-node/base';
import { formatDuration } from '../runtime/sync-progress.ts';

/** Least number of milliseconds between two lines. */
const INTERVAL = 2000;
/** Milliseconds of the past from which the time left is estimated: eras of the chain differ too much for more. */
const WINDOW = 120_000;

/** How far an import has come. */
interface Mark {
  readonly at: number;
  readonly height: number;
  /** 0 to 1. */
  readonly share: number;
}

/** Logs how far an import has come, how fast it is and how long it will take, at most every two seconds. */
export class ImportProgress {
  readonly #logger: Logger;
  readonly #now: () => number;
  /** Of the last two minutes, the oldest first. */
  #marks: Mark[];

  /**
   * @param start height of the chain before
   * @param now milliseconds of a clock that cannot be set
   */
  constructor(
    logger: Logger,
    start: { height: number; share: number },
    now = monotonicMilliseconds,
  ) {
    this.#logger = logger;
    this.#now = now;
    this.#marks = [{ at: now(), ...start }];
  }

  update(reached: { readonly height: number; readonly share: number }): void {
    const at = this.#now();
    const last = this.#marks.at(-1);
    if (last !== undefined && at - last.at < INTERVAL) return;
    this.#marks = this.#marks.filter(
      (mark, i, { length }) => at - mark.at < WINDOW || i === length - 1,
    );
    const [first] = this.#marks;
    this.#marks.push({ at, ...reached });
    if (first !== undefined) this.#logger.info(describe(first, { at, ...reached }));
  }
}

function describe(first: Mark, { at, height, share }: Mark): string {
  const seconds = Math.max(0.001, (at - first.at) / 1000);
  const rate = (height - first.height) / seconds;
  const grown = share - first.share;
  const left = grown > 0 ? `, ${formatDuration(((1 - share) / grown) * seconds)} left` : '';
  const percent = (Math.floor(share * 1000) / 10).toFixed(1);
  return `imported up to block ${height - 1} (${percent} %, ${rate.toFixed(1)} blocks/s${left})`;
}
