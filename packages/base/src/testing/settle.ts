/** Waits until the pending callbacks of the event loop have run, and what they began, but for timers, files and sockets. */
export async function settle(turns = 5): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}
