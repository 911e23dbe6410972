/** Wakes mining threads that wait for a change: a new template, the end of a pause, an idle machine. */
export class ChangeSignal {
  #waiting: (() => void)[] = [];

  /** Resolves at the next `notify`, or after the given milliseconds. */
  wait(milliseconds?: number): Promise<void> {
    return new Promise((resolve) => {
      if (milliseconds === undefined) {
        this.#waiting.push(resolve);
        return;
      }
      const timer = setTimeout(resolve, milliseconds);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Wakes all that wait. */
  notify(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}
