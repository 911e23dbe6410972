import { groupedDigits, monotonicMilliseconds } from '@monero-node/base';
import { formatDuration } from '../runtime/sync-progress.ts';

/** Least number of milliseconds between two lines. */
const INTERVAL = 2000;

/** Prints how much of something is done and how long the rest will take, at most every two seconds. */
export class StepProgress {
  readonly #verb: string;
  readonly #print: (line: string) => void;
  readonly #now: () => number;
  readonly #startedAt: number;
  #first: number | undefined;
  #printedAt: number;

  /**
   * @param verb such as `copied`
   * @param now milliseconds of a clock that cannot be set
   */
  constructor(verb: string, print: (line: string) => void, now = monotonicMilliseconds) {
    this.#verb = verb;
    this.#print = print;
    this.#now = now;
    this.#startedAt = this.#printedAt = now();
  }

  /** Takes how much is done, in any unit. */
  readonly update = (done: number, total: number): void => {
    const now = this.#now();
    this.#first ??= done;
    if (now - this.#printedAt < INTERVAL || total === 0) return;
    this.#printedAt = now;
    const share = done / total;
    const grown = (done - this.#first) / total;
    const seconds = (now - this.#startedAt) / 1000;
    const left = grown > 0 ? `, ${formatDuration(((1 - share) / grown) * seconds)} left` : '';
    this.#print(`${this.#verb} ${(Math.floor(share * 1000) / 10).toFixed(1)} %${left}`);
  };
}

/** Returns bytes as a number of MiB with separators of thousands. */
export function mebibytes(bytes: number): string {
  return groupedDigits(Math.ceil(bytes / 2 ** 20));
}
