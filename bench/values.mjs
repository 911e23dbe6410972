// Values of which the types do not say that they are there.

/**
 * Returns a value that must be there. Throws Error when it is not.
 *
 * @template T
 * @param {T | undefined} value
 * @returns {T}
 */
export function present(value) {
  if (value === undefined) throw new Error('a value is missing');
  return value;
}

/**
 * Returns what an error says.
 *
 * @param {unknown} error
 */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));
