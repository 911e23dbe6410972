import { setTimeout as delay } from 'node:timers/promises';

/** Lets a loop sleep until something happens, or a time has passed. An event while it is awake ends the next sleep at once. */
export class WakeUp {
  #isDue = false;
  #wake: AbortController | undefined;

  /** Ends the sleep, or the next one. */
  wake(): void {
    this.#isDue = true;
    this.#wake?.abort();
  }

  /** Resolves when woken, after `milliseconds`, or when the signal is aborted. */
  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#isDue && !signal.aborted) {
      this.#wake = new AbortController();
      const either = AbortSignal.any([signal, this.#wake.signal]);
      await delay(milliseconds, undefined, { signal: either }).catch(() => undefined);
      this.#wake = undefined;
    }
    this.#isDue = false;
  }
}
