import { bytesToLatin1, latin1Reader } from './text.ts';
import { WireDouble, wireInteger, type WireValue } from './value.ts';

/** The body is not what an epee JSON reader accepts. */
export class JsonParseError extends Error {
  readonly code = 'malformed';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(`${message} at byte ${offset}`);
    this.name = 'JsonParseError';
    this.offset = offset;
  }
}

/** Decimal digits that a number holds exactly. */
const SAFE_DIGITS = 15;
const MAX_U64_DIGITS = 20;
const MAX_U64 = (1n << 64n) - 1n;
const MAX_I64 = (1n << 63n) - 1n;

/** Bytes that separate the parts of a document. */
export const BYTE = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

const QUOTE = BYTE.quote;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;

const isSpace = (c: number): boolean => c === 0x20 || (c >= 0x09 && c <= 0x0d);
const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;
const isAlpha = (c: number): boolean => (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a);
/** `.`, `e` and `E` make a number a floating point one. */
const isFloatMark = (c: number): boolean => c === 0x2e || c === 0x65 || c === 0x45;
const isNumberPart = (c: number): boolean =>
  isDigit(c) || isFloatMark(c) || c === 0x2b || c === 0x2d;

/** The bytes that may follow a backslash, besides `u`, and the byte that each stands for. */
const SIMPLE_ESCAPES: Readonly<Record<number, number>> = {
  [QUOTE]: QUOTE,
  [BACKSLASH]: BACKSLASH,
  0x27: 0x27,
  0x2f: 0x2f,
  0x62: 0x08,
  0x66: 0x0c,
  0x6e: 0x0a,
  0x72: 0x0d,
  0x74: 0x09,
  0x76: 0x0b,
};

/** Reads the smallest parts of a document one after another: names, strings, numbers and words. */
export class JsonScanner {
  readonly #bytes: Uint8Array;
  /** Reads them as text, from a start to an end offset. */
  readonly #latin1: (start: number, end: number) => string;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#latin1 = latin1Reader(this.#bytes);
  }

  /** Moves past the current byte. */
  advance(): void {
    this.#at++;
  }

  /** Moves past white space and returns the byte there; undefined at the end. */
  skipSpace(): number | undefined {
    const bytes = this.#bytes;
    while (this.#at < bytes.length && isSpace(bytes[this.#at] as number)) this.#at++;
    return bytes[this.#at];
  }

  /** Reads a string, number or word that begins with `c`; undefined for null. Throws JsonParseError. */
  scalar(c: number): WireValue | undefined {
    if (c === QUOTE) return this.#string();
    if (isDigit(c) || c === MINUS) return this.#number();
    if (!isAlpha(c)) throw this.error('unexpected character');
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
        throw this.error('unknown word');
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
      if (Math.abs(value) === Infinity) throw this.error('number out of range');
      return new WireDouble(Number.isNaN(value) ? 0 : value);
    }
    const negative = text.startsWith('-');
    const digits = /^-?0*(\d*)/.exec(text)?.[1] ?? '';
    if (digits.length > MAX_U64_DIGITS) throw this.error('number out of range');
    const value = BigInt(digits);
    if (value > (negative ? MAX_I64 + 1n : MAX_U64)) throw this.error('number out of range');
    return wireInteger(negative ? -value : value);
  }

  /** Reads a member's name, quote first: one character per byte. Throws JsonParseError. */
  name(): string {
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
        const meant = SIMPLE_ESCAPES[c];
        if (meant === undefined) throw this.error('unknown escape');
        c = meant;
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
    throw this.error('string without end');
  }

  /** Reads four hex digits; a string may hold 170,000 of these. */
  #hex4(at: number, end: number): number {
    let code = 0;
    for (let i = at; i < at + 4; i++) {
      const digit = i < end ? hexDigit(this.#bytes[i] as number) : -1;
      if (digit < 0) throw this.error('bad \\u escape');
      code = code * 16 + digit;
    }
    return code;
  }

  /** End of the run of characters from here; a run that reaches the end of the document is refused. */
  #endOf(belongs: (c: number) => boolean): number {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < bytes.length && belongs(bytes[at] as number)) at++;
    if (at >= bytes.length) throw this.error('value without end');
    this.#at = at;
    return at;
  }

  error(message: string): JsonParseError {
    return new JsonParseError(message, this.#at);
  }
}

function hexDigit(c: number): number {
  if (isDigit(c)) return c - 0x30;
  const letter = c | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Writes a 16-bit code as UTF-8 at `at` (surrogates are not joined, as in epee) and returns how many bytes it took. */
function encodeCodePoint(code: number, out: Uint8Array, at: number): number {
  if (code < 0x80) {
    out[at] = code;
    return 1;
  }
  if (code < 0x800) {
    out[at] = 0xc0 | (code >> 6);
    out[at + 1] = 0x80 | (code & 0x3f);
    return 2;
  }
  out[at] = 0xe0 | (code >> 12);
  out[at + 1] = 0x80 | ((code >> 6) & 0x3f);
  out[at + 2] = 0x80 | (code & 0x3f);
  return 3;
}
