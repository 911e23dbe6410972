import { escapeBlob } from './escape.ts';
import { latin1ToBytes } from './text.ts';
import { WireDouble, type WireArray, type WireObject, type WireValue } from './value.ts';

/** A value would take more text than it may. */
export class EchoTooLongError extends Error {
  override readonly name = 'EchoTooLongError';
}

/** Values that one step renders, and about how many characters a piece has. */
const VALUES_PER_STEP = 512;
const PIECE_LENGTH = 65_536;

/**
 * Renders a value that came in a document as it is echoed: epee's layout, members sorted, one character per byte. `depth` is the
 * indentation of its first line. Every line of a nested object is indented, so the text may be many times as long as
 * the value was: throws EchoTooLongError, before much of it is made, for one of more than `limit` characters.
 */
export function echoJson(value: WireValue, depth: number, limit = Infinity): string {
  const steps = echoJsonSteps(value, depth, limit);
  for (;;) {
    const { done, value: pieces } = steps.next();
    if (done === true) return pieces.join('');
  }
}

/** Renders the same in steps, so that other work can run between them, to pieces of text. */
export function* echoJsonSteps(
  value: WireValue,
  depth: number,
  limit: number,
): Generator<undefined, string[]> {
  const echo = new Echo(limit);
  yield* echo.value(value, depth);
  return echo.pieces();
}

class Echo {
  readonly #limit: number;
  readonly #pieces: string[] = [];
  #text = '';
  #length = 0;
  #values = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  *value(value: WireValue, depth: number): Generator<undefined, void> {
    if (Array.isArray(value)) yield* this.#array(value, depth);
    else if (value instanceof Map) yield* this.#object(value, depth);
    else this.#scalar(value);
  }

  pieces(): string[] {
    return [...this.#pieces, this.#text];
  }

  #scalar(value: Exclude<WireValue, WireArray | WireObject>): void {
    if (value instanceof Uint8Array) {
      this.#check(value.length);
      this.#add(`"${escapeBlob(value)}"`);
    } else this.#add(value instanceof WireDouble ? formatDouble(value.value) : String(value));
  }

  *#array(items: WireArray, depth: number): Generator<undefined, void> {
    this.#check(items.length);
    this.#add('[');
    for (const [i, item] of items.entries()) {
      if (i > 0) this.#add(',');
      yield* this.#member(item, depth);
    }
    this.#add(']');
  }

  *#object(members: WireObject, depth: number): Generator<undefined, void> {
    this.#check(members.size);
    this.#add('{');
    let separator = '\r\n';
    for (const [name, member] of [...members].sort(byName)) {
      this.#add(`${separator}${pad(depth + 1)}"${escapeBlob(latin1ToBytes(name))}": `);
      yield* this.#member(member, depth + 1);
      separator = ',\r\n';
    }
    this.#add(`\r\n${pad(depth)}}`);
  }

  *#member(value: WireValue, depth: number): Generator<undefined, void> {
    if (++this.#values % VALUES_PER_STEP === 0) yield;
    if (Array.isArray(value) || value instanceof Map) yield* this.value(value, depth);
    else this.#scalar(value);
  }

  #add(text: string): void {
    this.#check(text.length);
    this.#length += text.length;
    this.#text += text;
    if (this.#text.length < PIECE_LENGTH) return;
    this.#pieces.push(this.#text);
    this.#text = '';
  }

  #check(more: number): void {
    if (this.#length + more > this.#limit) throw new EchoTooLongError();
  }
}

const pad = (depth: number): string => '  '.repeat(depth);

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** Prints a floating point number with six significant digits, as C's `%g` does. */
export function formatDouble(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponentText = '0'] = value.toExponential(5).split('e');
  const exponent = Number(exponentText);
  const strip = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  if (exponent >= -4 && exponent < 6) return strip(value.toFixed(5 - exponent));
  const sign = exponent < 0 ? '-' : '+';
  return `${strip(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
