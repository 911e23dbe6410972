/** Runs asynchronous work one piece at a time, in the order it was handed in. */
export interface SerialQueue {
  /** Settles as the work does; a failure does not hold up what comes after. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when everything handed in so far has settled. */
  idle(): Promise<void>;
}

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
    async idle() {
      await last;
    },
  };
}
