/** Returns a parameter of a request as text: empty when it is missing, a list or an object. */
export function textOf(parameter: unknown): string {
  return typeof parameter === 'string' ? parameter : '';
}

/** Returns 64 hex digits in lower case; undefined for anything else. */
export function hashOf(text: string): string | undefined {
  return /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined;
}

/** Returns a whole number from 0 to `most`; undefined for anything else. */
export function numberOf(text: string, most: number): number | undefined {
  return /^\d{1,16}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}
