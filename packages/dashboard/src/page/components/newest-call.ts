/** What becomes of a call. */
export interface Outcome<T> {
  readonly done: (result: T) => void;
  readonly failed: (error: unknown) => void;
  /** After either of the others. */
  readonly ended: () => void;
}

/** Calls of which only the newest counts: what comes of one after a newer one was made is dropped. */
export class NewestCall {
  #number = 0;

  /** Makes a call. Resolves when it has ended, also when that was too late. */
  async run<T>(call: () => Promise<T>, { done, failed, ended }: Outcome<T>): Promise<void> {
    const number = ++this.#number;
    const isNewest = (): boolean => number === this.#number;
    try {
      const result = await call();
      if (isNewest()) done(result);
    } catch (error) {
      if (isNewest()) failed(error);
    }
    if (isNewest()) ended();
  }
}
