import { DecodeError } from '../errors.ts';
import type { JsonValue } from './json-value.ts';

const MAX_DEPTH = 100;
const MAX_INTEGER_DIGITS = 78;

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

/** A recursive descent parser of one document. JSON.parse would round integers above 2^53 - 1. */
export class JsonParser {
  readonly #text: string;
  #offset = 0;

  constructor(text: string | Uint8Array) {
    this.#text = typeof text === 'string' ? text : decodeUtf8(text);
  }

  /** Returns the document's value. Throws DecodeError when the text is not one JSON document. */
  document(): JsonValue {
    const value = this.#value(0);
    this.#skipWhiteSpace();
    if (this.#offset < this.#text.length) throw this.#error('text after the document');
    return value;
  }

  #value(depth: number): JsonValue {
    if (depth > MAX_DEPTH) throw this.#error('nested too deeply');
    this.#skipWhiteSpace();
    switch (this.#text[this.#offset]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      default:
        return this.#literalOrNumber();
    }
  }

  #object(depth: number): JsonValue {
    const object = Object.create(null) as { [key: string]: JsonValue };
    this.#offset++;
    if (this.#accept('}')) return object;
    do {
      this.#skipWhiteSpace();
      if (this.#text[this.#offset] !== '"') throw this.#error('member name expected');
      const key = this.#string();
      this.#expect(':');
      object[key] = this.#value(depth + 1);
    } while (this.#accept(','));
    this.#expect('}');
    return object;
  }

  #array(depth: number): JsonValue {
    const array: JsonValue[] = [];
    this.#offset++;
    if (this.#accept(']')) return array;
    do array.push(this.#value(depth + 1));
    while (this.#accept(','));
    this.#expect(']');
    return array;
  }

  #string(): string {
    this.#offset++;
    let result = '';
    for (;;) {
      result += this.#match(PLAIN_TEXT)?.[0] ?? '';
      const character = this.#text[this.#offset];
      if (character === '"') {
        this.#offset++;
        return result;
      }
      if (character !== '\\') throw this.#error('unterminated string or control character');
      result += this.#escape();
    }
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

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DecodeError('not valid UTF-8');
  }
}
