import { TurnQueue } from './turn-queue.ts';

/** Slice when none is given, milliseconds. */
const DEFAULT_SLICE_MS = 10;

/** Shared by all work that has no scheduler of its own. */
const turns = new TurnQueue();

export interface YielderOptions {
  /** Longest stretch of work before the event loop gets a turn, milliseconds; 10 when absent. */
  readonly sliceMs?: number;
}

export interface YielderDependencies {
  /** Waits for the next slice; by default all work in the process takes turns, one slice per round of the event loop. */
  readonly nextSlice?: () => Promise<void>;
}

/**
 * Divides one long piece of work into time slices, so that sockets and timers are served in between.
 * Call `yieldIfDue` often: it costs one clock reading while the slice lasts.
 *
 *     const yielder = new Yielder();
 *     for (const block of blocks) {
 *       verify(block);
 *       await yielder.yieldIfDue();
 *     }
 */
export class Yielder {
  readonly #sliceMs: number;
  readonly #nextSlice: () => Promise<void>;
  #sliceEnd: number;

  constructor(options: YielderOptions = {}, dependencies: YielderDependencies = {}) {
    this.#sliceMs = options.sliceMs ?? DEFAULT_SLICE_MS;
    this.#nextSlice = dependencies.nextSlice ?? (() => turns.next());
    this.#sliceEnd = performance.now() + this.#sliceMs;
  }

  /** Whether the slice is used up. */
  get due(): boolean {
    return performance.now() >= this.#sliceEnd;
  }

  /** Returns undefined while the slice lasts; afterwards a promise that resolves at the start of the next slice. */
  yieldIfDue(): Promise<void> | undefined {
    return this.due ? this.yieldNow() : undefined;
  }

  /** Ends the slice early; resolves at the start of the next one. */
  async yieldNow(): Promise<void> {
    await this.#nextSlice();
    this.#sliceEnd = performance.now() + this.#sliceMs;
  }
}
