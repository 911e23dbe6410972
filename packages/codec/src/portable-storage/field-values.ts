import { bytesEqual } from '../bytes.ts';
import type { AnyField, ChoiceKind, IntegerKind, Kind } from './table.ts';

/** Thrown when a value does not fit its field: a defect of the program that sends it. */
export class FieldValueError extends RangeError {
  readonly code = 'bad-field';

  constructor(kind: string, value: unknown) {
    const shown = typeof value === 'number' || typeof value === 'bigint' ? ` ${value}` : '';
    super(`a field of type ${kind} can't hold this ${typeof value}${shown}`);
    this.name = 'FieldValueError';
  }
}

/** Returns the members that were given for an object; none for undefined. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  (value ?? {}) as Readonly<Record<string, unknown>>;

/** Returns the value that is sent for a member that was not given. */
export const fallbackOf = (field: AnyField): unknown =>
  field.presence === 'if-given' ? undefined : field.fallback;

/** Returns whether a member with this value is not sent. Throws TypeError for a choice out of range. */
export function isLeftOut({ presence, kind, fallback }: AnyField, member: unknown): boolean {
  if (presence === 'always') return false;
  return presence === 'if-given' ? isEmpty(kind, member) : equals(member, fallback);
}

/** Empty lists are not sent. A lazy one is known to be empty only once it is read. */
function isEmpty(kind: Kind, value: unknown): boolean {
  if (value === undefined) return true;
  switch (kind.kind) {
    case 'array':
    case 'pods':
    case 'packed-u64':
      return (
        (Array.isArray(value) || value instanceof CountedList || value instanceof RenderedList) &&
        value.length === 0
      );
    case 'choice':
      return isEmpty(chosen(kind, value), value);
    default:
      return false;
  }
}

function equals(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return bytesEqual(a, b);
  if (typeof a === typeof b) return a === b;
  return isInteger(a) && isInteger(b) && BigInt(a) === BigInt(b);
}

const isInteger = (value: unknown): value is bigint | number =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));

/**
 * A list whose items are made one by one, and whose length is known: portable storage has the length first. Writing it
 * fails when there are fewer items.
 */
export class CountedList<T> implements AsyncIterable<T> {
  readonly length: number;
  readonly #items: AsyncIterable<T>;

  constructor(length: number, items: AsyncIterable<T>) {
    this.length = length;
    this.#items = items;
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return this.#items[Symbol.asyncIterator]();
  }
}

/**
 * Objects of a list as portable storage has them, one after another, which are copied into documents unchanged. Such a list has no
 * form in JSON.
 */
export class RenderedList {
  /** Number of objects. */
  readonly length: number;
  readonly bytes: Uint8Array;

  constructor(length: number, bytes: Uint8Array) {
    this.length = length;
    this.bytes = bytes;
  }
}

/** Returns whether a list is lazy: its items have to be waited for. */
export function isLazy(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Returns the kind that a value of a choice is sent as. Throws TypeError when the choice is out of range. */
export function chosen(kind: ChoiceKind, value: unknown): Kind {
  const result = kind.of[kind.pick(value)];
  if (result === undefined) throw new TypeError('choice out of range');
  return result;
}

/** Returns an integer of at most 64 bits, as the bigint or number that was given. Throws FieldValueError when it does not fit its kind. */
export function checkedInteger(kind: IntegerKind, value: unknown): bigint | number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    if (fitsBits(kind, value)) return value;
  } else if (typeof value === 'bigint' && value >= kind.min && value <= kind.max) {
    return value;
  }
  throw new FieldValueError(kind.name, value);
}

/** Whether a safe integer fits a kind. Comparing it with the kind's bounds, which are bigints, would be slow. */
function fitsBits({ name, bits }: IntegerKind, value: number): boolean {
  const half = HALF_RANGE[bits];
  if (name.charCodeAt(0) === LETTER_U) return value >= 0 && value < 2 * half;
  return value >= -half && value < half;
}

/** 2^(bits - 1). */
const HALF_RANGE = { 8: 2 ** 7, 16: 2 ** 15, 32: 2 ** 31, 64: 2 ** 63 } as const;
const LETTER_U = 0x75;

/** Returns a value that must be bytes, of `size` bytes if that is given. Throws FieldValueError. */
export function checkedBytes(value: unknown, size?: number): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new FieldValueError('bytes', value);
  if (size !== undefined && value.length !== size) {
    throw new FieldValueError(`${size} bytes`, value.length);
  }
  return value;
}

/** A long text that answers have more than once: the form in which it is written is kept with it. */
export class ReusedText {
  readonly text: string;
  /** The text as a JSON string, once it has been written as one. */
  json: string | undefined;

  constructor(text: string) {
    this.text = text;
  }
}

/** Returns a value that must be text. Throws FieldValueError. */
export function checkedText(value: unknown): string {
  if (value instanceof ReusedText) return value.text;
  if (typeof value !== 'string') throw new FieldValueError('text', value);
  return value;
}

/** Returns a value that must be a list. Throws FieldValueError. */
export function checkedList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new FieldValueError('list', value);
  return value;
}
