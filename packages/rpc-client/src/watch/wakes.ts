import { untilAborted } from '@monero-node/base/signals';

/**
 * Least time between two looks, milliseconds: a stream with an event for each transaction, or one that says the same without end, must not
 * have all nodes asked without pause. What wakes meanwhile wakes once.
 */
const LEAST_GAP_MS = 100;

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
    const gap = Math.min(LEAST_GAP_MS, this.#interval);
    await this.#pause(gap);
    if (!this.#isWoken && this.#interval > gap) await this.#pause(this.#interval - gap, true);
    this.#isWoken = false;
    if (this.#fault !== undefined) throw this.#fault.error;
  }

  /** Resolves after some milliseconds, and before when something fails or, if it may, when it is woken. */
  async #pause(milliseconds: number, mayWake = false): Promise<void> {
    if (this.#fault !== undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const due = new Promise<void>((resolve) => {
      this.#wake = () => {
        if (mayWake || this.#fault !== undefined) resolve();
      };
      timer = setTimeout(resolve, milliseconds);
    });
    await untilAborted(due, this.#signal).finally(() => clearTimeout(timer));
    this.#wake = undefined;
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
