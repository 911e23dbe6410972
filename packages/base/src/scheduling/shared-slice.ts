import { afterEventLoopRound } from './event-loop.ts';
import { Yielder, type YielderOptions } from './yielder.ts';

// Taken when the module is loaded, so that a test's faked clock does not stop long work. Browsers have no process.
const nextTick =
  (globalThis as { process?: NodeJS.Process }).process?.nextTick ?? globalThis.queueMicrotask;

/** Milliseconds that calls get together in each round of the event loop when none are given. */
const DEFAULT_ROUND_MS = 5;

export interface SharedSliceOptions {
  /** Milliseconds that calls get together in each round of the event loop; 5 when absent. */
  readonly roundMs?: number;
}

/** Told how many milliseconds a call has had the event loop. */
export type SpentTime = (milliseconds: number) => void;

interface WaitingCall {
  readonly resume: () => void;
  readonly onSpent: SpentTime | undefined;
}

/**
 * One slice of each round of the event loop, shared by many short calls, first come first served. However many calls there
 * are, sockets and timers are served after it. Unlike with a FairScheduler, a round resumes as many calls as fit.
 */
export class SharedSlice {
  readonly #roundMs: number;
  readonly #waiting: WaitingCall[] = [];
  #isRunning = false;
  #roundEnd = 0;

  constructor({ roundMs = DEFAULT_ROUND_MS }: SharedSliceOptions = {}) {
    this.#roundMs = roundMs;
  }

  /** Returns the yielder for a long call, which starts its first slice now. Its slices are those of the yielder. */
  begin(options?: YielderOptions, onSpent?: SpentTime): Yielder {
    return new Yielder(options, { nextSlice: () => this.#wait(onSpent) });
  }

  /**
   * Asks for a turn of a short call. Returns undefined when it may run at once: no call waits, and this round has time
   * left. Otherwise the promise resolves when it is its turn.
   */
  enter(): Promise<void> | undefined {
    const isFree = this.#waiting.length === 0;
    if (!this.#isRunning) {
      this.#roundEnd = performance.now() + this.#roundMs;
      void this.#run();
      return undefined;
    }
    return isFree && performance.now() < this.#roundEnd ? undefined : this.#wait();
  }

  #wait(onSpent?: SpentTime): Promise<void> {
    return new Promise((resume) => {
      this.#waiting.push({ resume, onSpent });
      if (!this.#isRunning) void this.#run();
    });
  }

  /** Runs until a round finds no call waiting. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    for (;;) {
      await afterEventLoopRound();
      if (this.#waiting.length === 0) break;
      await this.#resumeCalls();
    }
    this.#isRunning = false;
  }

  async #resumeCalls(): Promise<void> {
    let before = performance.now();
    this.#roundEnd = before + this.#roundMs;
    do {
      const call = this.#waiting.shift();
      call?.resume();
      await whenCallsWait();
      const after = performance.now();
      call?.onSpent?.(after - before);
      before = after;
    } while (this.#waiting.length > 0 && before < this.#roundEnd);
  }
}

/** Resolves when all code that is ready to run has run, up to where it waits for the event loop. */
function whenCallsWait(): Promise<void> {
  return new Promise((resolve) => {
    nextTick(resolve);
  });
}
