import { escapeBlob } from './escape.ts';
import { latin1ToBytes } from './text.ts';
import { WireDouble, type WireValue } from './value.ts';

/** A value would take more text than it may. */
export class EchoTooLongError extends Error {
  override readonly name = 'EchoTooLongError';
}

/**
 * Renders a value that came in a document as it is echoed: epee's layout, members sorted, one character per byte. `depth` is the
 * indentation of its first line. Every line of a nested object is indented, so the text may be many times as long as
 * the value was: throws EchoTooLongError, before much of it is made, for one of more than `limit` characters.
 */
export function echoJson(value: WireValue, depth: number, limit = Infinity): string {
  const echo = new Echo(limit);
  echo.value(value, depth);
  return echo.text;
}

class Echo {
  text = '';
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  value(value: WireValue, depth: number): void {
    if (value instanceof Uint8Array) this.#string(value);
    else if (Array.isArray(value)) this.#array(value, depth);
    else if (value instanceof Map) this.#object(value, depth);
    else this.#add(value instanceof WireDouble ? formatDouble(value.value) : String(value));
  }

  #string(bytes: Uint8Array): void {
    this.#check(bytes.length);
    this.#add(`"${escapeBlob(bytes)}"`);
  }

  #array(items: readonly WireValue[], depth: number): void {
    this.#check(items.length);
    this.#add('[');
    for (const [i, item] of items.entries()) {
      if (i > 0) this.#add(',');
      this.value(item, depth);
    }
    this.#add(']');
  }

  #object(members: ReadonlyMap<string, WireValue>, depth: number): void {
    this.#check(members.size);
    this.#add('{');
    let separator = '\r\n';
    for (const [name, member] of [...members].sort(byName)) {
      this.#add(`${separator}${pad(depth + 1)}"${escapeBlob(latin1ToBytes(name))}": `);
      this.value(member, depth + 1);
      separator = ',\r\n';
    }
    this.#add(`\r\n${pad(depth)}}`);
  }

  #add(text: string): void {
    this.#check(text.length);
    this.text += text;
  }

  #check(more: number): void {
    if (this.text.length + more > this.#limit) throw new EchoTooLongError();
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
