/** Where threads wait for something to change. */
export class Gate {
  #waiting: (() => void)[] = [];

  /** Resolves at the next `open`, or after so many milliseconds. */
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

  /** Lets all who wait go on. */
  open(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}
