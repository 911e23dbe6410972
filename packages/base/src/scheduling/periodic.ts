/** Runs a task at an interval until stopped, never twice at a time. Does not keep the process alive. */
export class Periodic {
  readonly #intervalMs: number;
  readonly #task: () => void | Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  /**
   * @param intervalMs milliseconds between the starts; a start is skipped while the task still runs
   * @param task must not throw or reject
   */
  constructor(intervalMs: number, task: () => void | Promise<void>) {
    this.#intervalMs = intervalMs;
    this.#task = task;
  }

  /** Runs the task for the first time after one interval. Does nothing when already started. */
  start(): void {
    this.#timer ??= setInterval(() => void this.#run(), this.#intervalMs).unref();
  }

  /** Prevents further runs; one that is under way ends by itself. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      await this.#task();
    } finally {
      this.#isRunning = false;
    }
  }
}
