import { untilAborted } from '@monero-node/base/signals';

/** Waits between two looks: until the interval is over, or something says that there is news. Keeps one bit of what it is told. */
export class Wakes {
  readonly #interval: number;
  readonly #signal: AbortSignal;
  readonly #iterator: AsyncIterator<unknown> | undefined;
  #isWoken = false;
  #wake: (() => void) | undefined;

  /** @param onEnd is told why `wakes` ended, if it failed */
  constructor(
    wakes: AsyncIterable<unknown> | undefined,
    interval: number,
    signal: AbortSignal,
    onEnd: (error: unknown) => void,
  ) {
    this.#interval = interval;
    this.#signal = signal;
    this.#iterator = wakes?.[Symbol.asyncIterator]();
    this.#take().catch(onEnd);
  }

  /** Resolves when it is time to look again. Rejects with the reason of the signal. */
  async next(): Promise<void> {
    this.#signal.throwIfAborted();
    if (!this.#isWoken) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const due = new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, this.#interval);
      });
      await untilAborted(due, this.#signal).finally(() => clearTimeout(timer));
      this.#wake = undefined;
    }
    this.#isWoken = false;
  }

  /** Ends what was woken by. */
  close(): void {
    // It may wait for its next item, and ends when that comes: nobody waits for it.
    this.#iterator?.return?.().catch(() => undefined);
  }

  async #take(): Promise<void> {
    if (this.#iterator === undefined) return;
    while ((await this.#iterator.next()).done !== true) {
      this.#isWoken = true;
      this.#wake?.();
    }
  }
}
