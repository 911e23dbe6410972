import { untilAborted } from '@monero-node/base/signals';

/** Waits between two looks: until the interval is over, or something says that there is news. Keeps one bit of what it is told. */
export class Wakes {
  readonly #interval: number;
  readonly #signal: AbortSignal;
  readonly #iterator: AsyncIterator<unknown> | undefined;
  #isWoken = false;
  /** What `onEnd` threw. */
  #fault: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** @param onEnd is told why `wakes` ended, if it failed; what it throws ends the waiting */
  constructor(
    wakes: AsyncIterable<unknown> | undefined,
    interval: number,
    signal: AbortSignal,
    onEnd: (error: unknown) => void,
  ) {
    this.#interval = interval;
    this.#signal = signal;
    this.#iterator = wakes?.[Symbol.asyncIterator]();
    this.#take()
      .catch(onEnd)
      .catch((error: unknown) => {
        this.#fault = { error };
        this.#wake?.();
      });
  }

  /** Resolves when it is time to look again. Rejects with the reason of the signal, and with what `onEnd` threw. */
  async next(): Promise<void> {
    this.#signal.throwIfAborted();
    if (!this.#isWoken && this.#fault === undefined) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const due = new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, this.#interval);
      });
      await untilAborted(due, this.#signal).finally(() => clearTimeout(timer));
      this.#wake = undefined;
    }
    this.#isWoken = false;
    if (this.#fault !== undefined) throw this.#fault.error;
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
