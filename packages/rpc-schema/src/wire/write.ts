import type { Field, Kind, Table } from './kinds.ts';

/**
 * A piece of writing that stops now and then, so that the caller may let other work run. What it stops with is either
 * nothing or a promise whose result it wants back.
 */
export type Writing = Generator<Promise<unknown> | undefined, void, unknown>;

/** Items written between two stops. */
export const ITEMS_PER_STEP = 512;
/** Bytes written between two stops. */
export const BYTES_PER_STEP = 1 << 18;

/** Members of an answer that are to be sent, in order. */
export function presentMembers(
  table: Table,
  value: unknown,
): (readonly [name: string, kind: Kind, value: unknown])[] {
  const given = membersOf(value);
  const members: (readonly [string, Kind, unknown])[] = [];
  for (const [name, field] of table.sorted) {
    const member = given[name] ?? fallbackOf(field);
    if (!isLeftOut(field, member)) members.push([name, field.kind, member]);
  }
  return members;
}

type AnyField = Field<unknown, unknown, boolean>;

/** The members that a handler gave. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  (value ?? {}) as Readonly<Record<string, unknown>>;

/** What is sent for a member that was not given. */
export const fallbackOf = (field: AnyField): unknown =>
  field.presence === 'if-given' ? undefined : field.fallback;

/** Whether a member with this value is not sent. */
export function isLeftOut({ presence, kind, fallback }: AnyField, member: unknown): boolean {
  if (presence === 'always') return false;
  return presence === 'if-given' ? isEmpty(kind, member) : equals(member, fallback);
}

/** Empty lists are never sent. Whether a lazy one is empty shows only when it is read. */
function isEmpty(kind: Kind, value: unknown): boolean {
  if (value === undefined) return true;
  if (kind.kind === 'array' || kind.kind === 'pods')
    return Array.isArray(value) && value.length === 0;
  if (kind.kind === 'choice') return isEmpty(chosen(kind, value), value);
  return false;
}

function equals(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return a.length === 0 && b.length === 0;
  if (isInteger(a) && isInteger(b)) return BigInt(a) === BigInt(b);
  return a === b;
}

const isInteger = (value: unknown): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

/** The kind a value of a choice is sent as. */
export function chosen(kind: Kind & { kind: 'choice' }, value: unknown): Kind {
  const result = kind.of[kind.pick(value)];
  if (result === undefined) throw new TypeError('choice out of range');
  return result;
}

/** Thrown when a handler's answer does not fit its own table: a defect of this program. */
export class AnswerShapeError extends Error {
  constructor(kind: string, value: unknown) {
    super(`answer field of type ${kind} can't hold ${typeof value}`);
    this.name = 'AnswerShapeError';
  }
}

/** Checks an integer against its type and gives it as bigint or number, whichever it was. */
export function checkedInteger(kind: Kind & { kind: 'integer' }, value: unknown): bigint | number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    if (value >= kind.min && value <= kind.max) return value;
  } else if (typeof value === 'bigint' && value >= kind.min && value <= kind.max) {
    return value;
  }
  throw new AnswerShapeError(kind.name, value);
}

export function checkedBytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new AnswerShapeError('bytes', value);
  return value;
}

export function checkedText(value: unknown): string {
  if (typeof value !== 'string') throw new AnswerShapeError('text', value);
  return value;
}

export function checkedList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new AnswerShapeError('list', value);
  return value;
}

/** True for kinds whose values are short, so that they are written without a stop. */
export function isShort(kind: Kind): boolean {
  return (
    kind.kind === 'integer' || kind.kind === 'bool' || kind.kind === 'text' || kind.kind === 'hex'
  );
}
