import {
  type ByteSink,
  checkedBytes,
  checkedInteger,
  checkedList,
  checkedText,
  chosen,
  fallbackOf,
  FieldValueError,
  isLazy,
  isLeftOut,
  ITEMS_PER_STEP,
  type Kind,
  membersOf,
  ReusedText,
  type Table,
  type Writing,
} from '@monero-node/codec/portable-storage';
import { escapeBlob, quoteText } from './escape.ts';
import { hexText } from './text.ts';

/** Bytes of JSON text written between two stops. */
export const BYTES_PER_STEP = 1 << 18;

/** True for kinds whose values are short, so that they are written without a stop. */
function isShort(kind: Kind): boolean {
  return (
    kind.kind === 'integer' || kind.kind === 'bool' || kind.kind === 'text' || kind.kind === 'hex'
  );
}

/** An object whose JSON text, one character per byte, was made before it is written. */
export class RenderedJson {
  readonly #text: string;
  readonly #depth: number;

  /** @param depth the indentation of its first line */
  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
  }

  /** Throws FieldValueError when it was made for another depth. */
  textAt(depth: number): string {
    if (depth !== this.#depth) throw new FieldValueError('object', depth);
    return this.#text;
  }
}

const pad = (depth: number): string => '  '.repeat(depth);

/**
 * Writes a value in epee's JSON layout; `depth` is the indentation of its first line. Throws
 * FieldValueError for a value that its kind cannot hold.
 */
export function* writeJson(sink: ByteSink, kind: Kind, value: unknown, depth: number): Writing {
  switch (kind.kind) {
    case 'object':
      if (value instanceof RenderedJson) {
        sink.latin1(value.textAt(depth));
        return;
      }
      yield* writeObject(sink, kind.table, value, depth);
      return;
    case 'array':
      yield* writeArray(sink, kind.of, value, depth);
      return;
    case 'blob':
      sink.latin1('"');
      yield* writeBlob(sink, checkedBytes(value));
      sink.latin1('"');
      return;
    case 'pods':
      sink.latin1('"');
      yield* writeBlob(sink, joinPods(checkedList(value), kind.size));
      sink.latin1('"');
      return;
    case 'choice':
      yield* writeJson(sink, chosen(kind, value), value, depth);
      return;
    case 'json':
      sink.bytes(checkedBytes(value));
      return;
    default:
      sink.latin1(shortJson(kind, value));
  }
}

function* writeObject(sink: ByteSink, table: Table, value: unknown, depth: number): Writing {
  if (isFlat(table)) {
    sink.latin1(flatJson(table, value, depth));
    return;
  }
  const starts = startsOf(table, depth + 1);
  const given = membersOf(value);
  sink.latin1('{');
  let separator = '\r\n';
  for (let i = 0; i < table.sorted.length; i++) {
    const [name, field] = table.sorted[i] as (typeof table.sorted)[number];
    const member = given[name] ?? fallbackOf(field);
    if (isLeftOut(field, member)) continue;
    const start = separator + (starts[i] as string);
    if (isShort(field.kind)) {
      sink.latin1(start + shortJson(field.kind, member));
    } else if (isLazy(member)) {
      if (!(yield* writeLazyArray(sink, start, field.kind, member, depth + 1))) continue;
    } else {
      sink.latin1(start);
      yield* writeJson(sink, field.kind, member, depth + 1);
    }
    separator = ',\r\n';
  }
  // An object without members is `{` line end `}` too.
  sink.latin1(`\r\n${pad(depth)}}`);
}

/** An object whose members are all short, in one go. */
function flatJson(table: Table, value: unknown, depth: number): string {
  const starts = startsOf(table, depth + 1);
  const given = membersOf(value);
  let json = '{\r\n';
  let separator = '';
  for (let i = 0; i < table.sorted.length; i++) {
    const [name, field] = table.sorted[i] as (typeof table.sorted)[number];
    const member = given[name] ?? fallbackOf(field);
    if (isLeftOut(field, member)) continue;
    json += separator + (starts[i] as string) + shortJson(field.kind, member);
    separator = ',\r\n';
  }
  return `${json}${separator === '' ? '' : '\r\n'}${pad(depth)}}`;
}

const FLAT = new WeakMap<Table, boolean>();

/** Whether a table has only short members. */
function isFlat(table: Table): boolean {
  let flat = FLAT.get(table);
  if (flat === undefined) {
    flat = table.sorted.every(([, { kind }]) => isShort(kind));
    FLAT.set(table, flat);
  }
  return flat;
}

/** Names of a table's members as they are written, by depth; there are only a few tables and depths. */
const STARTS = new WeakMap<Table, string[][]>();

function startsOf(table: Table, depth: number): readonly string[] {
  let depths = STARTS.get(table);
  if (depths === undefined) STARTS.set(table, (depths = []));
  depths[depth] ??= table.sorted.map(([name]) => `${pad(depth)}"${name}": `);
  return depths[depth];
}

function* writeArray(sink: ByteSink, of: Kind, value: unknown, depth: number): Writing {
  const items = checkedList(value);
  sink.latin1('[');
  for (let i = 0; i < items.length; i++) {
    if (i > 0) sink.latin1(',');
    if (isShort(of)) sink.latin1(shortJson(of, items[i]));
    else yield* writeJson(sink, of, items[i], depth);
    if (i % ITEMS_PER_STEP === 0 || of.kind === 'object') yield undefined;
  }
  sink.latin1(']');
}

/** Writes a list whose items come one by one, with `start` before the first; returns whether there was any. */
function* writeLazyArray(
  sink: ByteSink,
  start: string,
  kind: Kind,
  items: AsyncIterable<unknown>,
  depth: number,
): Generator<Promise<unknown> | undefined, boolean, unknown> {
  if (kind.kind !== 'array') throw new FieldValueError(kind.kind, items);
  const iterator = items[Symbol.asyncIterator]();
  let any = false;
  for (;;) {
    const next = (yield iterator.next()) as IteratorResult<unknown>;
    if (next.done === true) break;
    sink.latin1(any ? ',' : `${start}[`);
    any = true;
    yield* writeJson(sink, kind.of, next.value, depth);
    yield undefined;
  }
  if (any) sink.latin1(']');
  return any;
}

function* writeBlob(sink: ByteSink, bytes: Uint8Array): Writing {
  for (let at = 0; at < bytes.length; at += BYTES_PER_STEP) {
    sink.latin1(escapeBlob(bytes.subarray(at, at + BYTES_PER_STEP)));
    yield undefined;
  }
}

/** Joins values of `size` bytes each, which may be too many to be arguments of one call. */
function joinPods(items: readonly unknown[], size: number): Uint8Array {
  const joined = new Uint8Array(size * items.length);
  for (const [i, item] of items.entries()) joined.set(checkedBytes(item, size), size * i);
  return joined;
}

function shortJson(kind: Kind, value: unknown): string {
  switch (kind.kind) {
    case 'integer':
      return checkedInteger(kind, value).toString();
    case 'bool':
      if (typeof value !== 'boolean') throw new FieldValueError('bool', value);
      return value ? 'true' : 'false';
    case 'text':
      if (value instanceof ReusedText) return (value.json ??= quoteText(value.text));
      return quoteText(checkedText(value));
    case 'hex':
      return `"${hexText(checkedBytes(value))}"`;
    default:
      throw new FieldValueError(kind.kind, value);
  }
}
