import { groupedDigits, monotonicMilliseconds, type MillisecondClock } from '@monero-node/base';

/** Milliseconds over which the rate is taken, and most measurements of it. */
const WINDOW = 10_000;
const MAX_SAMPLES = 100;

/** How far the copy of a chain is. */
export interface CopyStatus {
  /** Bytes of the data file from its begin that have been dealt with. */
  readonly position: number;
  /** Of the whole data file. */
  readonly size: number;
  /** Bytes that went over the wire, since this process began: a part that the receiver has is not sent. */
  readonly bytes: number;
  /** Bytes over the wire in a second, of the last ten. */
  readonly bytesPerSecond: number;
}

/** Follows how far the copy of a chain is, at either end of it. */
export class CopyProgress {
  readonly #now: MillisecondClock;
  #samples: { readonly at: number; readonly bytes: number }[] = [];
  #bytes = 0;
  #position = 0;
  #size = 0;

  constructor(now: MillisecondClock = monotonicMilliseconds) {
    this.#now = now;
  }

  /** Begins with a data file of a size. */
  begin(size: number): void {
    this.#size = size;
    this.#position = 0;
  }

  /** Nothing is being copied any more. What went over the wire stays counted. */
  end(): void {
    this.begin(0);
    this.#samples = [];
  }

  /** Takes the end of a part, and the bytes that went over the wire for it. */
  add(end: number, bytes: number): void {
    this.#position = Math.max(this.#position, end);
    const at = this.#now();
    const last = this.#samples.at(-1);
    // What was before a pause is no part of the rate.
    if (last === undefined || at - last.at > WINDOW) this.#samples = [{ at, bytes: this.#bytes }];
    this.#bytes += bytes;
    const sample = { at, bytes: this.#bytes };
    const isSoon = this.#samples.length > 1 && at - (last?.at ?? 0) < WINDOW / MAX_SAMPLES;
    if (!isSoon) this.#samples.push(sample);
    this.#samples = this.#samples.filter((each) => at - each.at <= WINDOW);
  }

  get status(): CopyStatus {
    const [first] = this.#samples;
    const now = this.#now();
    const seconds = first === undefined ? 0 : (now - first.at) / 1000;
    const isOld = now - (this.#samples.at(-1)?.at ?? -Infinity) > WINDOW;
    const grown = this.#bytes - (first?.bytes ?? 0);
    const bytesPerSecond = isOld || seconds === 0 ? 0 : Math.round(grown / seconds);
    return { position: this.#position, size: this.#size, bytes: this.#bytes, bytesPerSecond };
  }
}

/** Returns how far a copy is, in MiB and MiB a second. */
export function copySentence({ position, size, bytesPerSecond }: CopyStatus): string {
  const mebibytes = (bytes: number): string => groupedDigits(Math.floor(bytes / 2 ** 20));
  const percent = ((100 * position) / Math.max(1, size)).toFixed(1);
  const rate = (bytesPerSecond / 2 ** 20).toFixed(1);
  return `${mebibytes(position)} of ${mebibytes(size)} MiB (${percent} %), ${rate} MiB/s`;
}
