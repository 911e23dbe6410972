/** Returns what `read` returns; undefined when it refuses, which it may do with these classes of errors only. Throws any other error. */
export function unlessRefused<T>(
  read: () => T,
  ...refusals: (new (...args: never[]) => Error)[]
): T | undefined {
  try {
    return read();
  } catch (error) {
    if (refusals.some((Refusal) => error instanceof Refusal)) return undefined;
    throw error;
  }
}
