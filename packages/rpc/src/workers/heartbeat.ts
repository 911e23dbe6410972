import type { MillisecondClock } from '@monero-node/base';
import { Silence } from './silence.ts';

/** Milliseconds between two questions. */
const BEAT_MS = 500;
/** Milliseconds without an answer after which a worker gets no new connections: none within 3 seconds of its last sign of life. */
const SILENT_MS = 2000;
/** Milliseconds without an answer after which a worker hangs if others answer: it is killed within 10 seconds. */
const HUNG_MS = 7500;
/** Milliseconds without an answer that no slow disk explains. */
const DEAD_MS = 30_000;

/**
 * How a worker does. One that is `silent` may be busy, or on a busy machine. One that is `hung` is so for longer than others on the same
 * machine, if these answer: a slow disk or a lack of memory would stop all of them, as they read one database by mapping it.
 * `dead` is for longer than that takes.
 */
export type Pulse = 'alive' | 'silent' | 'hung' | 'dead';

/** Finds out by questions whether another process goes on. */
export class Heartbeat {
  readonly #ask: () => void;
  /** Since the last question or answer. */
  readonly #silence: Silence;
  #isAsked = false;

  /** @param ask sends a question, to which any answer will do */
  constructor(now: MillisecondClock, ask: () => void) {
    this.#silence = new Silence(now);
    this.#ask = ask;
  }

  /** The process has said something. */
  heard(): void {
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#silence.end();
  }

  /** Asks when it is time to. To be called a few times a second. Returns what is known. */
  look(): Pulse {
    const waited = this.#silence.look();
    if (!this.#isAsked) {
      if (waited < BEAT_MS) return 'alive';
      this.#isAsked = true;
      this.#silence.end();
      this.#ask();
      return 'alive';
    }
    if (waited < SILENT_MS) return 'alive';
    if (waited < HUNG_MS) return 'silent';
    return waited < DEAD_MS ? 'hung' : 'dead';
  }
}
