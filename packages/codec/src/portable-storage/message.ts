import { concatBytes } from '../bytes.ts';
import { ByteSink } from './byte-sink.ts';
import { STORAGE_SIGNATURE } from './format.ts';
import type { Fields, OutputOf, Table } from './kinds.ts';
import { putSection } from './put-section.ts';

/**
 * Returns the bytes of an object as a portable storage document, the same that `writeStorage` writes.
 * Throws FieldValueError for a value that its field can't hold, and TypeError for a lazy list.
 */
export function encodeMessage<F extends Fields>(table: Table<F>, value: OutputOf<F>): Uint8Array {
  const sink = new ByteSink({ capacity: estimatedBytes(value) });
  sink.bytes(STORAGE_SIGNATURE);
  putSection(sink, table, value);
  const [first, ...others] = sink.chunks();
  if (first === undefined) return new Uint8Array(0);
  return others.length === 0 ? plain(first) : concatBytes(first, ...others);
}

const BYTES_PER_VALUE = 16;

/** Returns about the size of a value when it is written, in bytes: enough for byte strings to be copied only once. */
function estimatedBytes(value: unknown): number {
  if (value instanceof Uint8Array) return value.length + BYTES_PER_VALUE;
  if (typeof value === 'string') return value.length + BYTES_PER_VALUE;
  if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE;
  let bytes = BYTES_PER_VALUE;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    bytes += estimatedBytes(member) + BYTES_PER_VALUE;
  }
  return bytes;
}

/** The same memory as a plain Uint8Array, should it be a Buffer. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
