// Taken when the module is loaded, so that timers faked by a test do not stop long work.
const { setImmediate } = globalThis;

/** Resolves after the event loop has gone round once: timers and sockets that were ready have been served. */
export function afterEventLoopRound(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
