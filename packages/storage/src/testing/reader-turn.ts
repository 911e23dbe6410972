/**
 * Resolves once lmdb lets readers beside a writer see its newest commit: it renews their transaction in a timer of 0 ms,
 * which was set before this one.
 */
export function readerTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
