/** Returns what `read` returns; undefined when it refuses, which it may do with one class of error only. */
export function accepted<T>(
  read: () => T,
  Refusal: new (...args: never[]) => Error,
): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
