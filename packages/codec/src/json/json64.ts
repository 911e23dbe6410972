import { JsonParser, type JsonValue } from './json-parser.ts';

/** Values that one step reads: well below a millisecond. */
const VALUES_PER_STEP = 512;

/**
 * Parses strict JSON (RFC 8259) without losing 64-bit integers: an integer literal beyond 2^53 - 1 in size
 * becomes a bigint, any other number a double. The last of duplicate keys wins. Objects have no
 * prototype, so that no inherited name is taken for a member.
 * `text`: bytes must be valid UTF-8.
 * Throws DecodeError for anything malformed, nested deeper than 100 levels, or an integer of more than 78
 *   digits (256 bits), or a string with more than 65,536 escapes.
 */
export function parseJson64(text: string | Uint8Array): JsonValue {
  const parser = new JsonParser(text);
  while (!parser.advance(VALUES_PER_STEP));
  return parser.value;
}

/**
 * Parses the same, as a text or as its bytes, in steps, so that the caller can let other work run between them. Throws DecodeError for what
 * `parseJson64` refuses, and for more than `maxValues` values.
 */
export function* parseJson64Steps(
  text: string | Uint8Array,
  maxValues: number,
): Generator<undefined, JsonValue> {
  const parser = new JsonParser(text, maxValues);
  while (!parser.advance(VALUES_PER_STEP)) yield undefined;
  return parser.value;
}

/**
 * Returns compact JSON; a bigint is printed as a plain integer. Members that are undefined are left out.
 * Throws RangeError for a number that is not finite, which JSON does not have.
 */
export function stringifyJson64(value: JsonValue): string {
  switch (typeof value) {
    case 'bigint':
      return value.toString();
    case 'number':
      if (!Number.isFinite(value)) throw new RangeError(`${value} in JSON`);
      return JSON.stringify(value);
    case 'object':
      break;
    default:
      return JSON.stringify(value);
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(stringifyJson64).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${stringifyJson64(member)}`);
  return `{${members.join(',')}}`;
}
