import { bytesToLatin1, latin1Reader } from './text.ts';
import {
  WireDouble,
  wireInteger,
  type WireArray,
  type WireObject,
  type WireValue,
} from './value.ts';

/** The body is not what an epee JSON reader accepts. */
export class JsonParseError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(`${message} at byte ${offset}`);
    this.name = 'JsonParseError';
    this.offset = offset;
  }
}

const MAX_DEPTH = 100;
/** More than any useful request of 1 MiB holds; monerod has no such limit. */
const MAX_OBJECTS = 65_536;
/** Decimal digits that a number holds exactly. */
const SAFE_DIGITS = 15;
const MAX_U64_DIGITS = 20;
const MAX_U64 = (1n << 64n) - 1n;
const MAX_I64 = (1n << 63n) - 1n;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const isSpace = (c: number): boolean => c === 0x20 || (c >= 0x09 && c <= 0x0d);
const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;
const isAlpha = (c: number): boolean => (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a);
/** `.`, `e` and `E` make a number a floating point one. */
const isFloatMark = (c: number): boolean => c === 0x2e || c === 0x65 || c === 0x45;
const isNumberPart = (c: number): boolean =>
  isDigit(c) || isFloatMark(c) || c === 0x2b || c === 0x2d;

const SIMPLE_ESCAPES: Readonly<Record<number, number>> = {
  0x62: 0x08,
  0x66: 0x0c,
  0x6e: 0x0a,
  0x72: 0x0d,
  0x74: 0x09,
  0x76: 0x0b,
};

/**
 * Reads a JSON object as epee does (rpc.md section 2): a body of white space is an empty object; a document that just
 * ends inside an object, text after the object and a comma before the closing brace are accepted; words are
 * case-insensitive; nulls and empty arrays are left out; of equal keys the last wins, two objects of one name are
 * merged. Refused: anything but an object at the top, arrays in arrays, arrays of mixed kinds, integers beyond 64
 * bits, depth over 100. Strings without escapes are views of `body`.
 *
 * @throws JsonParseError
 */
export function parseWireJson(body: Uint8Array): WireObject {
  return new Parser(body).document();
}

class Parser {
  readonly #bytes: Uint8Array;
  /** Reads them as text, from a start to an end offset. */
  readonly #latin1: (start: number, end: number) => string;
  #at = 0;
  #objects = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#latin1 = latin1Reader(this.#bytes);
  }

  document(): WireObject {
    const root: WireObject = new Map();
    const c = this.#skipSpace();
    if (c === undefined) return root;
    if (c !== OPEN_BRACE) throw this.#error('not an object');
    this.#object(root, 0);
    return root;
  }

  /** Reads the members of an object whose brace is the current byte. */
  #object(target: WireObject, depth: number): void {
    if (depth >= MAX_DEPTH) throw this.#error('too deep');
    if (++this.#objects > MAX_OBJECTS) throw this.#error('too many objects');
    this.#at++;
    for (;;) {
      let c = this.#skipSpace();
      if (c === undefined) return;
      if (c === CLOSE_BRACE) {
        this.#at++;
        return;
      }
      if (c !== QUOTE) throw this.#error('expected a name');
      const name = this.#name();
      c = this.#skipSpace();
      if (c === undefined) return;
      if (c !== COLON) throw this.#error('expected a colon');
      this.#at++;
      c = this.#skipSpace();
      if (c === undefined) return;
      this.#member(target, name, c, depth);
      c = this.#skipSpace();
      if (c === undefined) return;
      if (c === COMMA) this.#at++;
      else if (c !== CLOSE_BRACE) throw this.#error('expected a comma');
    }
  }

  #member(target: WireObject, name: string, c: number, depth: number): void {
    if (c === OPEN_BRACE) {
      const present = target.get(name);
      const section: WireObject = present instanceof Map ? present : new Map();
      target.set(name, section);
      this.#object(section, depth + 1);
    } else if (c === OPEN_BRACKET) {
      const items = this.#array(depth);
      if (items.length > 0) target.set(name, items);
    } else {
      const value = this.#scalar(c);
      if (value !== undefined) target.set(name, value);
    }
  }

  #array(depth: number): WireArray {
    const items: WireArray = [];
    this.#at++;
    let kind: string | undefined;
    for (;;) {
      const c = this.#skipSpace();
      // As with objects, a document that ends here is accepted.
      if (c === undefined) return items;
      if (c === CLOSE_BRACKET && kind === undefined) {
        this.#at++;
        return items;
      }
      const item = this.#item(c, depth);
      const itemKind = kindOf(item);
      if (kind !== undefined && itemKind !== kind) throw this.#error('array of mixed kinds');
      kind = itemKind;
      items.push(item);
      const next = this.#skipSpace();
      if (next === undefined) return items;
      if (next !== COMMA && next !== CLOSE_BRACKET) throw this.#error('expected a comma');
      this.#at++;
      if (next === CLOSE_BRACKET) return items;
    }
  }

  #item(c: number, depth: number): WireValue {
    if (c === OPEN_BRACE) {
      const section: WireObject = new Map();
      this.#object(section, depth + 1);
      return section;
    }
    const value = c === OPEN_BRACKET ? undefined : this.#scalar(c);
    if (value === undefined) throw this.#error('not allowed in an array');
    return value;
  }

  /** A string, number or word; undefined for null. */
  #scalar(c: number): WireValue | undefined {
    if (c === QUOTE) return this.#string();
    if (isDigit(c) || c === MINUS) return this.#number();
    if (!isAlpha(c)) throw this.#error('unexpected character');
    const start = this.#at;
    const end = this.#endOf(isAlpha);
    switch (this.#latin1(start, end).toLowerCase()) {
      case 'null':
        return undefined;
      case 'true':
        return true;
      case 'false':
        return false;
      default:
        throw this.#error('unknown word');
    }
  }

  /** Integers are read up to the last digit, as the C library does: `1-2` is 1, `-` is 0. */
  #number(): number | bigint | WireDouble {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    let value = 0;
    while (at < bytes.length && isDigit(bytes[at] as number) && at - start < SAFE_DIGITS) {
      value = value * 10 + (bytes[at++] as number) - 0x30;
    }
    const next = bytes[at];
    if (at > start && next !== undefined && !isNumberPart(next)) {
      this.#at = at;
      return value;
    }
    return this.#longNumber();
  }

  /** A number that is negative, long or floating. */
  #longNumber(): number | bigint | WireDouble {
    const start = this.#at;
    const text = this.#latin1(start, this.#endOf(isNumberPart));
    if (/[.eE]/.test(text)) {
      const value = Number.parseFloat(text);
      if (Math.abs(value) === Infinity) throw this.#error('number out of range');
      return new WireDouble(Number.isNaN(value) ? 0 : value);
    }
    const negative = text.startsWith('-');
    const digits = /^-?0*(\d*)/.exec(text)?.[1] ?? '';
    if (digits.length > MAX_U64_DIGITS) throw this.#error('number out of range');
    const value = BigInt(digits);
    if (value > (negative ? MAX_I64 + 1n : MAX_U64)) throw this.#error('number out of range');
    return wireInteger(negative ? -value : value);
  }

  /** A member's name, quote first. */
  #name(): string {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    let at = start;
    while (at < bytes.length && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++;
    if (bytes[at] !== QUOTE) return bytesToLatin1(this.#string());
    this.#at = at + 1;
    return this.#latin1(start, at);
  }

  #string(): Uint8Array {
    const bytes = this.#bytes;
    const start = ++this.#at;
    let at = start;
    while (at < bytes.length && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++;
    if (bytes[at] === QUOTE) {
      this.#at = at + 1;
      return bytes.subarray(start, at);
    }
    return this.#escapedString(start, at);
  }

  /** The rest of a string from its first backslash. Escapes never grow, so the raw length bounds the result. */
  #escapedString(start: number, firstEscape: number): Uint8Array {
    const bytes = this.#bytes;
    const end = this.#closingQuote(firstEscape);
    const out = new Uint8Array(end - start);
    out.set(bytes.subarray(start, firstEscape));
    let length = firstEscape - start;
    for (let at = firstEscape; at < end; at++) {
      let c = bytes[at] as number;
      if (c === BACKSLASH) {
        c = bytes[++at] as number;
        if (c === 0x75) {
          length += encodeCodePoint(this.#hex4(at + 1, end), out, length);
          at += 4;
          continue;
        }
        c = SIMPLE_ESCAPES[c] ?? c;
      }
      out[length++] = c;
    }
    this.#at = end + 1;
    return out.subarray(0, length);
  }

  #closingQuote(from: number): number {
    const bytes = this.#bytes;
    for (let at = from; at < bytes.length; at++) {
      if (bytes[at] === BACKSLASH) at++;
      else if (bytes[at] === QUOTE) return at;
    }
    throw this.#error('string without end');
  }

  #hex4(at: number, end: number): number {
    const digits = at + 4 <= end ? this.#latin1(at, at + 4) : '';
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#error('bad \\u escape');
    return Number.parseInt(digits, 16);
  }

  /** End of the run of characters from here; a run that reaches the end of the document is refused. */
  #endOf(belongs: (c: number) => boolean): number {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < bytes.length && belongs(bytes[at] as number)) at++;
    if (at >= bytes.length) throw this.#error('value without end');
    this.#at = at;
    return at;
  }

  #skipSpace(): number | undefined {
    const bytes = this.#bytes;
    while (this.#at < bytes.length && isSpace(bytes[this.#at] as number)) this.#at++;
    return bytes[this.#at];
  }

  #error(message: string): JsonParseError {
    return new JsonParseError(message, this.#at);
  }
}

/** The kinds of values that an array may not mix. Integers below zero are another kind than the others. */
function kindOf(value: WireValue): string {
  if (value instanceof Map) return 'object';
  if (value instanceof Uint8Array) return 'string';
  if (typeof value === 'number' || typeof value === 'bigint') {
    return value < 0 ? 'signed' : 'unsigned';
  }
  return value instanceof WireDouble ? 'double' : typeof value;
}

/** Writes a 16-bit code as UTF-8 at `at` (surrogates are not joined, as in epee) and returns how many bytes it took. */
function encodeCodePoint(code: number, out: Uint8Array, at: number): number {
  if (code < 0x80) {
    out[at] = code;
    return 1;
  }
  if (code < 0x800) {
    out.set([0xc0 | (code >> 6), 0x80 | (code & 0x3f)], at);
    return 2;
  }
  out.set([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)], at);
  return 3;
}
