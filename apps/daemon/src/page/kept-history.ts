import { RANGES } from '@monero-node/dashboard';
import { HistoryFile, type SavedHistory } from './history-file.ts';
import type { HistoryKeeper } from './history-keeper.ts';

/** The histories of both views. */
export interface Histories {
  readonly owner: HistoryKeeper;
  readonly public: HistoryKeeper;
}

/** Takes up the charts of the last run, and saves those of this one. */
export class KeptHistory {
  readonly #file: HistoryFile;
  readonly #histories: Histories;
  /** Those of the last run, until the clock is past them. */
  #before: SavedHistory | undefined;
  /** The save under way, or the last one. */
  #saving: Promise<void> = Promise.resolve();

  constructor(file: HistoryFile, histories: Histories) {
    this.#file = file;
    this.#histories = histories;
  }

  /** Reads what the last run has left. Never rejects. */
  async load(): Promise<void> {
    this.#before = await this.#file.load();
  }

  /**
   * Takes up the charts of the last run before a sample. A machine without a battery for its clock begins in the past, so they wait
   * until the clock is right, at most until the first save. Returns whether they were taken up now.
   *
   * The newest point may be named by the end of its step.
   *
   * @param seconds Unix time of the sample
   */
  takeUp(seconds: number): boolean {
    const before = this.#before;
    if (before === undefined || newestOf(before) > seconds + RANGES.hour.step) return false;
    this.#before = undefined;
    this.#histories.owner.restore(before.owner);
    this.#histories.public.restore(before.public);
    return true;
  }

  /** Writes the charts. Rejects with an error of node:fs. Two saves do not overlap. */
  save(): Promise<void> {
    const saved = this.#saving.catch(() => undefined).then(() => this.#write());
    this.#saving = saved;
    return saved;
  }

  async #write(): Promise<void> {
    if (this.#before !== undefined) {
      this.#before = undefined;
      await this.#file.putAside('ends later than this clock says');
    }
    const { owner, public: known } = this.#histories;
    await this.#file.save({ owner: owner.history, public: known.history });
  }
}

const newestOf = ({ owner, public: known }: SavedHistory): number =>
  Math.max(...[owner, known].flatMap(({ hour, day, month }) => [hour.end, day.end, month.end]));
