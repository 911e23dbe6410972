import { stringifyJson64, type JsonValue } from '@monero-node/codec';
import { type ByteSink, type Writing } from '@monero-node/codec/portable-storage';

/** An object whose members are made while it is written. */
export class LazyMembers {
  readonly members: AsyncIterable<readonly [string, JsonValue]>;

  constructor(members: AsyncIterable<readonly [string, JsonValue]>) {
    this.members = members;
  }
}

/** A value of an answer: JSON, or a list or object that is made while it is written. */
export type ZmqValue =
  JsonValue | AsyncIterable<JsonValue> | LazyMembers | { readonly [name: string]: ZmqValue };

/** Items or members written between two stops. */
const VALUES_PER_STEP = 512;
const NOT_ASCII = /[\u0080-\uffff]/;

/** Writes compact JSON as UTF-8, in steps. Throws DocumentTooLargeError at the limit of the sink. */
export function* writeZmqJson(sink: ByteSink, value: ZmqValue): Writing {
  if (typeof value !== 'object' || value === null) put(sink, stringifyJson64(value));
  else if (Array.isArray(value)) yield* writeArray(sink, value);
  else if (value instanceof LazyMembers) yield* writeLazyObject(sink, value.members);
  else if (isLazy(value)) yield* writeLazyArray(sink, value);
  else yield* writeObject(sink, Object.entries(value));
}

function* writeObject(sink: ByteSink, members: readonly [string, ZmqValue][]): Writing {
  sink.latin1('{');
  for (const [i, [name, member]] of members.entries()) {
    put(sink, `${i > 0 ? ',' : ''}${JSON.stringify(name)}:`);
    yield* writeZmqJson(sink, member);
    if (i % VALUES_PER_STEP === 0) yield undefined;
  }
  sink.latin1('}');
}

function* writeArray(sink: ByteSink, items: readonly JsonValue[]): Writing {
  sink.latin1('[');
  for (const [i, item] of items.entries()) {
    if (i > 0) sink.latin1(',');
    if (typeof item === 'number') sink.latin1(stringifyJson64(item));
    else yield* writeZmqJson(sink, item);
    if (i % VALUES_PER_STEP === 0) yield undefined;
  }
  sink.latin1(']');
}

function* writeLazyArray(sink: ByteSink, items: AsyncIterable<JsonValue>): Writing {
  const iterator = items[Symbol.asyncIterator]();
  sink.latin1('[');
  for (let separator = ''; ; separator = ',') {
    const next = (yield iterator.next()) as IteratorResult<JsonValue>;
    if (next.done === true) break;
    sink.latin1(separator);
    yield* writeZmqJson(sink, next.value);
    yield undefined;
  }
  sink.latin1(']');
}

function* writeLazyObject(
  sink: ByteSink,
  members: AsyncIterable<readonly [string, JsonValue]>,
): Writing {
  const iterator = members[Symbol.asyncIterator]();
  sink.latin1('{');
  for (let separator = ''; ; separator = ',') {
    const next = (yield iterator.next()) as IteratorResult<readonly [string, JsonValue]>;
    if (next.done === true) break;
    const [name, value] = next.value;
    put(sink, `${separator}${JSON.stringify(name)}:`);
    yield* writeZmqJson(sink, value);
  }
  sink.latin1('}');
}

function isLazy(value: ZmqValue & object): value is AsyncIterable<JsonValue> {
  return Symbol.asyncIterator in value;
}

function put(sink: ByteSink, text: string): void {
  if (NOT_ASCII.test(text)) sink.bytes(Buffer.from(text));
  else sink.latin1(text);
}
