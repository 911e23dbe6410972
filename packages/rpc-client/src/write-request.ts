import { concatBytes } from '@monero-node/codec/bytes';
import {
  ByteSink,
  type Kind,
  type Table,
  writeStorage,
  type Writing,
} from '@monero-node/codec/portable-storage';
import { writeJson } from '@monero-node/rpc-schema';
import { withBytes } from './with-bytes.ts';

/**
 * Returns a request as JSON bytes. Throws TypeError for an unknown field, FieldValueError for a value that its field
 * cannot hold.
 */
export function jsonRequest(kind: Kind, request: unknown): Uint8Array {
  const sink = new ByteSink();
  run(writeJson(sink, given(kind, request), withBytes(kind, request), 0));
  return concatBytes(...sink.chunks());
}

/**
 * Returns a request as portable storage bytes. Throws TypeError for an unknown field or a kind other than an object,
 * FieldValueError for a value that its field cannot hold.
 */
export function binaryRequest(kind: Kind, request: unknown): Uint8Array {
  const only = given(kind, request);
  if (only.kind !== 'object') throw new TypeError('only objects have a binary form');
  const sink = new ByteSink();
  run(writeStorage(sink, only.table, withBytes(kind, request)));
  return concatBytes(...sink.chunks());
}

/** Only the fields that were given, so that the server fills in its own defaults. */
function given(kind: Kind, request: unknown): Kind {
  if (kind.kind !== 'object') return kind;
  const values = request as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(values).find((name) => !(name in kind.table.fields));
  if (unknown !== undefined) throw new TypeError(`no field ${unknown}`);
  const sorted = kind.table.sorted.filter(([name]) => values[name] !== undefined);
  const table: Table = { ...kind.table, sorted };
  return { kind: 'object', table };
}

/** Requests are short and hold nothing lazy, so there is nothing to stop for. */
function run(writing: Writing): void {
  while (writing.next().done !== true);
}
