import { concatBytes } from '../bytes.ts';
import { ByteSink } from './byte-sink.ts';
import type { Kind, Table } from './table.ts';
import { putSize, typeId } from './write.ts';

/** The form of an object of which all values have a fixed size. */
export interface FixedForm {
  /** An object with zeros for its values. */
  readonly bytes: Uint8Array;
  /** Where the value of each member begins. Integers are little-endian, a bool is 0 or 1. */
  readonly offsets: ReadonlyMap<string, number>;
}

/**
 * Returns the form in which every object of a table is written, so that thousands can be filled in without making any as
 * objects. Throws TypeError for a table whose objects differ in more than their values.
 */
export function fixedForm({ sorted }: Table): FixedForm {
  const sink = new ByteSink();
  const offsets = new Map<string, number>();
  putSize(sink, sorted.length);
  for (const [name, { kind, presence }, wireName] of sorted) {
    const size = presence === 'always' ? fixedSize(kind) : undefined;
    if (size === undefined) throw new TypeError(`${name} has no fixed size`);
    sink.bytes(wireName);
    sink.u8(typeId(kind));
    if (kind.kind === 'hex') putSize(sink, size);
    offsets.set(name, sink.length);
    sink.bytes(new Uint8Array(size));
  }
  return { bytes: concatBytes(...sink.chunks()), offsets };
}

/** Returns the bytes of a value of a kind, without its length; undefined when they differ. */
function fixedSize(kind: Kind): number | undefined {
  if (kind.kind === 'integer') return kind.bits / 8;
  if (kind.kind === 'bool') return 1;
  return kind.kind === 'hex' ? kind.size : undefined;
}
