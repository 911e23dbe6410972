/** A JSON value. Integers beyond 2^53 are bigint. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/gs;
const MARK = '\u0001integer:';

/**
 * Parses JSON without rounding: integers that a number cannot hold exactly become bigint.
 * Control characters inside strings are accepted, since monerod sends some raw.
 *
 * Throws SyntaxError when the text is not JSON.
 */
export function parseJson(text: string): Json {
  const marked = text.replace(TOKEN, (token) => {
    if (!token.startsWith('"')) {
      return Number.isSafeInteger(Number(token)) ? token : `"${escapeControls(MARK)}${token}"`;
    }
    return escapeControls(token);
  });
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  ) as Json;
}

function escapeControls(token: string): string {
  let out = '';
  for (const character of token) {
    const code = character.charCodeAt(0);
    out += code < 0x20 ? `\\u${code.toString(16).padStart(4, '0')}` : character;
  }
  return out;
}

/** Formats a value as JSON, bigint as an integer. */
export function formatJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? `${MARK}${item}` : item,
  );
  return text.replace(/"\\u0001integer:(-?\d+)"/g, '$1');
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a member of an object. Throws Error when it is absent or has another type. */
export function stringOf(object: JsonObject, name: string): string {
  const value = object[name];
  if (typeof value !== 'string') throw new Error(`${name} is not a string: ${formatJson(value)}`);
  return value;
}

export function numberOf(object: JsonObject, name: string): number {
  const value = object[name];
  if (typeof value !== 'number') throw new Error(`${name} is not a number: ${formatJson(value)}`);
  return value;
}

export function objectOf(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  if (!isObject(value)) throw new Error(`${name} is not an object: ${formatJson(value)}`);
  return value;
}

/** Returns a member that is a list; an empty list when it is absent, because monerod omits empty lists. */
export function listOf(object: JsonObject, name: string): Json[] {
  const value = object[name];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${name} is not a list: ${formatJson(value)}`);
  return value;
}

export function objectsOf(object: JsonObject, name: string): JsonObject[] {
  return listOf(object, name).map((item) => {
    if (!isObject(item)) throw new Error(`${name} holds something that is not an object`);
    return item;
  });
}

export function stringsOf(object: JsonObject, name: string): string[] {
  return listOf(object, name).map((item) => {
    if (typeof item !== 'string') throw new Error(`${name} holds something that is not a string`);
    return item;
  });
}
