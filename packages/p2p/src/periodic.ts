/** A task that runs every so often until it is stopped, never twice at a time. */
export class Periodic {
  readonly #intervalMs: number;
  readonly #task: () => void | Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #running = false;

  /** @param task must not reject */
  constructor(intervalMs: number, task: () => void | Promise<void>) {
    this.#intervalMs = intervalMs;
    this.#task = task;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#run(), this.#intervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    await this.#task();
    this.#running = false;
  }
}
