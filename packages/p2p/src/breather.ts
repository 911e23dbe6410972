import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest stretch of work without letting others run, in milliseconds. */
const STRETCH_MS = 20;

/** Lets a long piece of work give way to the event loop now and then. */
export class Breather {
  #since = performance.now();

  /** Await this between steps. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#since < STRETCH_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
