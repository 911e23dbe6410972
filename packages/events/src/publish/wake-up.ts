import { setTimeout as delay } from 'node:timers/promises';

/** Lets a loop sleep until something happens, or a time has passed. An event while it is awake ends the next sleep at once. */
export class WakeUp {
  #isDue = false;
  #isRoused = false;
  #isPausing = false;
  #wake: AbortController | undefined;

  /** Ends the sleep, or the next one, but no pause. */
  wake(): void {
    this.#isDue = true;
    if (!this.#isPausing) this.#wake?.abort();
  }

  /** Ends the sleep or the pause, or the next one. */
  rouse(): void {
    this.#isDue = true;
    this.#isRoused = true;
    this.#wake?.abort();
  }

  /** Resolves when woken, after `milliseconds`, or when the signal is aborted. */
  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#isDue) await this.#wait(milliseconds, signal);
    this.#reset();
  }

  /** Resolves when roused, after `milliseconds`, or when the signal is aborted: a task that has failed is not repeated for each event. */
  async pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    this.#isPausing = true;
    if (!this.#isRoused) await this.#wait(milliseconds, signal);
    this.#isPausing = false;
    this.#reset();
  }

  async #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#wake = new AbortController();
    const either = AbortSignal.any([signal, this.#wake.signal]);
    await delay(milliseconds, undefined, { signal: either }).catch(() => undefined);
    this.#wake = undefined;
  }

  #reset(): void {
    this.#isDue = false;
    this.#isRoused = false;
  }
}
