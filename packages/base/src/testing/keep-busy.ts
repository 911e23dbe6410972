/** Uses the processor for some milliseconds, so that no other code runs in this thread. */
export function keepBusy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
