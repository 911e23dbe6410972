import { DecodeError } from '../errors.ts';

/** JSON data. Integers that a double cannot hold exactly are bigints; objects have no prototype. */
export type JsonValue =
  null | boolean | number | bigint | string | JsonValue[] | { [key: string]: JsonValue };

/** A JSON object. */
export interface JsonObject {
  [key: string]: JsonValue;
}

const MAX_DEPTH = 100;
const MAX_INTEGER_DIGITS = 78;
/** Escapes in one string, which is read in one go. */
const MAX_ESCAPES = 65_536;

const WHITE_SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
/** Characters of a string that are not escaped. */
// eslint-disable-next-line no-control-regex -- JSON forbids bare control characters
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const HEX4 = /[0-9a-fA-F]{4}/y;

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const LITERALS: readonly (readonly [string, JsonValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/** An object or array whose end has not been read yet. */
type Open =
  | { readonly items: JsonValue[] }
  | { readonly members: { [key: string]: JsonValue }; name: string };

/**
 * A parser of one document, which can stop after any value: what is open is on a stack of its own. JSON.parse would
 * round integers above 2^53 - 1.
 */
export class JsonParser {
  readonly #text: string;
  readonly #maxValues: number;
  readonly #open: Open[] = [];
  #offset = 0;
  #values = 0;
  #root: JsonValue = null;
  #ended = false;

  constructor(text: string | Uint8Array, maxValues = Infinity) {
    this.#text = typeof text === 'string' ? text : decodeUtf8(text);
    this.#maxValues = maxValues;
  }

  /** The document's value, once `advance` has returned true. */
  get value(): JsonValue {
    return this.#root;
  }

  /** Reads up to `most` values; returns whether the document is complete. Throws DecodeError when it is not JSON. */
  advance(most: number): boolean {
    for (let i = 0; i < most && !this.#ended; i++) this.#next();
    return this.#ended;
  }

  #next(): void {
    if (this.#open.length > MAX_DEPTH) throw this.#error('nested too deeply');
    if (++this.#values > this.#maxValues) throw this.#error('too many values');
    this.#skipWhiteSpace();
    switch (this.#text[this.#offset]) {
      case '{':
        this.#offset++;
        this.#begin({ members: Object.create(null) as { [key: string]: JsonValue }, name: '' });
        return;
      case '[':
        this.#offset++;
        this.#begin({ items: [] });
        return;
      case '"':
        this.#complete(this.#string());
        return;
      default:
        this.#complete(this.#literalOrNumber());
    }
  }

  #begin(open: Open): void {
    if (this.#accept(closerOf(open))) {
      this.#complete(contentOf(open));
      return;
    }
    this.#open.push(open);
    if ('members' in open) this.#name(open);
  }

  #name(open: { name: string }): void {
    this.#skipWhiteSpace();
    if (this.#text[this.#offset] !== '"') throw this.#error('member name expected');
    open.name = this.#string();
    this.#expect(':');
  }

  /** Puts a value where it belongs, and closes what ends after it. */
  #complete(value: JsonValue): void {
    let complete = value;
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      if ('items' in top) top.items.push(complete);
      else top.members[top.name] = complete;
      if (this.#accept(',')) {
        if ('members' in top) this.#name(top);
        return;
      }
      this.#expect(closerOf(top));
      this.#open.pop();
      complete = contentOf(top);
    }
    this.#root = complete;
    this.#ended = true;
    this.#skipWhiteSpace();
    if (this.#offset < this.#text.length) throw this.#error('text after the document');
  }

  #string(): string {
    this.#offset++;
    let result = '';
    for (let escapes = 0; escapes <= MAX_ESCAPES; escapes++) {
      result += this.#match(PLAIN_TEXT)?.[0] ?? '';
      const character = this.#text[this.#offset];
      if (character === '"') {
        this.#offset++;
        return result;
      }
      if (character !== '\\') throw this.#error('unterminated string or control character');
      result += this.#escape();
    }
    throw this.#error('too many escapes');
  }

  #escape(): string {
    const letter = this.#text[this.#offset + 1] ?? '';
    this.#offset += 2;
    if (letter === 'u') {
      const digits = this.#match(HEX4);
      if (digits === null) throw this.#error('four hex digits expected');
      return String.fromCharCode(parseInt(digits[0], 16));
    }
    const character = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (character === undefined) throw this.#error('unknown escape');
    return character;
  }

  #literalOrNumber(): JsonValue {
    for (const [word, value] of LITERALS) {
      if (this.#text.startsWith(word, this.#offset)) {
        this.#offset += word.length;
        return value;
      }
    }
    const match = this.#match(NUMBER);
    if (match === null) throw this.#error('value expected');
    const [literal, fraction, exponent] = match;
    const value = Number(literal);
    if (fraction !== undefined || exponent !== undefined) {
      if (!Number.isFinite(value)) throw this.#error('number out of range');
      return value;
    }
    if (Number.isSafeInteger(value)) return value;
    if (literal.length > MAX_INTEGER_DIGITS) throw this.#error('integer too long');
    return BigInt(literal);
  }

  #skipWhiteSpace(): void {
    this.#match(WHITE_SPACE);
  }

  /** Moves past white space, and past the character if it comes next. Returns whether it did. */
  #accept(character: string): boolean {
    this.#skipWhiteSpace();
    if (this.#text[this.#offset] !== character) return false;
    this.#offset++;
    return true;
  }

  #expect(character: string): void {
    if (!this.#accept(character)) throw this.#error(`"${character}" expected`);
  }

  /** Matches a sticky expression at the current offset and moves past the match. */
  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#offset += match[0].length;
    return match;
  }

  #error(message: string): DecodeError {
    return new DecodeError(message, this.#offset);
  }
}

const closerOf = (open: Open): string => ('items' in open ? ']' : '}');
const contentOf = (open: Open): JsonValue => ('items' in open ? open.items : open.members);

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DecodeError('not valid UTF-8');
  }
}
