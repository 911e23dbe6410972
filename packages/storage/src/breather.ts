/** Lets long synchronous work give way to the event loop now and then. */
export interface Breather {
  /** Resolves at once while the current stretch is short, else after the event loop has turned. */
  pause(): Promise<void>;
}

/** @param stretchMs how long to work before giving way */
export function createBreather(stretchMs = 10): Breather {
  let started = performance.now();
  return {
    async pause() {
      if (performance.now() - started < stretchMs) return;
      await new Promise<void>((resolve) => setImmediate(resolve));
      started = performance.now();
    },
  };
}
