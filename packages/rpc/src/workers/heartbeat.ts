import type { MillisecondClock } from '@monero-node/base';

/** Milliseconds between two questions. */
const BEAT_MS = 500;
/** Milliseconds without an answer after which a worker gets no new connections: none within 3 seconds of its last sign of life. */
const SILENT_MS = 2000;
/** Milliseconds without an answer after which a worker is ended: it has been replaced within 10 seconds. */
const DEAD_MS = 7500;
/** Longest time between two looks that counts. In a longer one this process was held up, and what the worker said waits to be read. */
const MOST_PER_LOOK_MS = 1000;

/** How a worker does: `silent` may be busy, or on a busy machine; `dead` is so for longer than any work takes. */
export type Pulse = 'alive' | 'silent' | 'dead';

/** Finds out by questions whether another process goes on. */
export class Heartbeat {
  readonly #now: MillisecondClock;
  readonly #ask: () => void;
  #lookedAt: number;
  /** Since the last question or answer. */
  #waited = 0;
  #isAsked = false;

  /** @param ask sends a question, to which any answer will do */
  constructor(now: MillisecondClock, ask: () => void) {
    this.#now = now;
    this.#ask = ask;
    this.#lookedAt = now();
  }

  /** The process has said something. */
  heard(): void {
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#waited = 0;
  }

  /** Asks when it is time to. To be called a few times a second. Returns what is known. */
  look(): Pulse {
    const now = this.#now();
    this.#waited += Math.min(now - this.#lookedAt, MOST_PER_LOOK_MS);
    this.#lookedAt = now;
    if (!this.#isAsked && this.#waited >= BEAT_MS) {
      this.#isAsked = true;
      this.#waited = 0;
      this.#ask();
    }
    if (!this.#isAsked || this.#waited < SILENT_MS) return 'alive';
    return this.#waited < DEAD_MS ? 'silent' : 'dead';
  }
}
