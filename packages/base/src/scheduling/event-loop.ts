// Taken when the module is loaded, so that timers faked by a test do not stop long work. Browsers have no setImmediate.
const { setImmediate, setTimeout } = globalThis;

/** Resolves after the event loop has gone round once: timers and sockets that were ready have been served. */
export function afterEventLoopRound(): Promise<void> {
  return new Promise((resolve) => {
    if (setImmediate !== undefined) setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
