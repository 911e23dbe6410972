import {
  defineTable,
  type ChoiceBy,
  type Field,
  type Fields,
  type InputOf,
  type IntegerKind,
  type Kind,
  type OutputOf,
  type Table,
} from './table.ts';
import type { RenderedList, ReusedText } from './field-values.ts';

type Integer = bigint | number;
/** A writer takes a lazy list too, which is read item by item. */
type Many<T> = readonly T[] | AsyncIterable<T>;
type BinaryMany<T> = readonly T[] | RenderedList;

function integer(name: IntegerKind['name'], bits: IntegerKind['bits']): IntegerKind {
  const signed = name.startsWith('i');
  const valueBits = BigInt(signed ? bits - 1 : bits);
  return {
    kind: 'integer',
    name,
    bits,
    min: signed ? -(1n << valueBits) : 0n,
    max: (1n << valueBits) - 1n,
  };
}

const U8 = integer('u8', 8);
const I8 = integer('i8', 8);
const U16 = integer('u16', 16);
const U32 = integer('u32', 32);
const U64 = integer('u64', 64);
const I64 = integer('i64', 64);
const SAFE_U64: IntegerKind = { ...U64, safe: true };

function always<In, Out>(kind: Kind, fallback: In | undefined): Field<In, Out, true> {
  return { kind, presence: 'always', fallback };
}

function list<In, Out>(kind: Kind): Field<readonly In[], Out, false> {
  return { kind, presence: 'if-given', fallback: [] };
}

function arrayOf<In, Out>(of: Kind): Field<readonly In[], Out, false> {
  return list({ kind: 'array', of });
}

const NO_BYTES = new Uint8Array(0);

/**
 * Builders of table rows. Readers return integers of up to 32 bits as numbers and 64-bit ones as bigints;
 * writers take either. A field that is absent is read as zero, empty or false.
 */
export const f = {
  u8: (): Field<number, number, true> => always(U8, 0),
  i8: (): Field<number, number, true> => always(I8, 0),
  u16: (): Field<number, number, true> => always(U16, 0),
  u32: (): Field<number, number, true> => always(U32, 0),
  u64: (): Field<bigint, Integer, true> => always(U64, 0n),
  i64: (): Field<bigint, Integer, true> => always(I64, 0n),
  /** An unsigned 64-bit integer that is read as a number; a value above 2^53 - 1 is refused. */
  safeU64: (): Field<number, Integer, true> => always(SAFE_U64, 0),
  bool: (): Field<boolean, boolean, true> => always({ kind: 'bool' }, false),
  /** The same as `text`; a writer may also be given a text that it meets again. */
  reusedText: (): Field<string, string | ReusedText, true> => always({ kind: 'text' }, ''),
  reusedTexts: (): Field<readonly string[], readonly (string | ReusedText)[], false> =>
    arrayOf({ kind: 'text' }),
  /** UTF-8 text; bytes that are not UTF-8 are read as U+FFFD. */
  text: (): Field<string, string, true> => always({ kind: 'text' }, ''),
  /** Text that should be hex. A reader returns it as it is; a client may be given the bytes. */
  hexText: (): Field<string, string | Uint8Array, true> =>
    always({ kind: 'text', isHex: true }, ''),
  hexTexts: (): Field<readonly string[], readonly (string | Uint8Array)[], false> =>
    arrayOf({ kind: 'text', isHex: true }),
  /** Bytes of any length, raw even in JSON. */
  blob: (): Field<Uint8Array, Uint8Array, true> => always({ kind: 'blob' }, NO_BYTES),
  /** Bytes of any length, hex in JSON. */
  hex: (): Field<Uint8Array, Uint8Array, true> => always({ kind: 'hex' }, NO_BYTES),
  /** 32 bytes, hex in JSON. No bytes are sent as "" in JSON and as 32 zeros in portable storage. */
  hash: (): Field<Uint8Array, Uint8Array, true> => always({ kind: 'hex', size: 32 }, NO_BYTES),
  /** A structure of exactly `size` bytes. When absent or of another length, it is read as zeros. */
  pod: (size: number): Field<Uint8Array, Uint8Array, true> =>
    always({ kind: 'hex', size }, new Uint8Array(size)),
  /** 32-byte values joined in one blob. */
  hashBlob: (): Field<readonly Uint8Array[], readonly Uint8Array[], false> =>
    list({ kind: 'pods', size: 32 }),
  /** Values of `size` bytes joined in one blob. */
  pods: (size: number): Field<readonly Uint8Array[], readonly Uint8Array[], false> =>
    list({ kind: 'pods', size }),
  /** Little-endian unsigned 64-bit integers joined in one blob. */
  packedU64s: (): Field<readonly bigint[], readonly Integer[], false> =>
    list({ kind: 'packed-u64' }),
  /** An object. When absent, it is read and written with all defaults. */
  object: <F extends Fields>(table: Table<F>): Field<InputOf<F>, OutputOf<F> | undefined, true> =>
    always<InputOf<F>, OutputOf<F> | undefined>({ kind: 'object', table }, undefined),
  objects: <F extends Fields>(
    table: Table<F>,
  ): Field<readonly InputOf<F>[], Many<OutputOf<F>>, false> => arrayOf({ kind: 'object', table }),
  /** The same as `objects`, for documents that have no JSON form; a writer may also be given a list that is rendered. */
  binaryObjects: <F extends Fields>(
    table: Table<F>,
  ): Field<readonly InputOf<F>[], BinaryMany<OutputOf<F>>, false> =>
    arrayOf({ kind: 'object', table }),
  u32s: (): Field<readonly number[], readonly number[], false> => arrayOf(U32),
  u64s: (): Field<readonly bigint[], readonly Integer[], false> => arrayOf(U64),
  texts: (): Field<readonly string[], readonly string[], false> => arrayOf({ kind: 'text' }),
  blobs: (): Field<readonly Uint8Array[], readonly Uint8Array[], false> =>
    arrayOf({ kind: 'blob' }),
  hexes: (): Field<readonly Uint8Array[], readonly Uint8Array[], false> => arrayOf({ kind: 'hex' }),
  hashes: (): Field<readonly Uint8Array[], readonly Uint8Array[], false> =>
    arrayOf({ kind: 'hex', size: 32 }),
};

/** Returns a field with another default. */
export function withDefault<In, Out, R extends boolean>(
  field: Field<In, Out, R>,
  fallback: In,
): Field<In, Out, R> {
  return { ...field, fallback };
}

/**
 * Returns a list of which readers of portable storage take at most `max` items; more fail the document before any is
 * built. Throws TypeError for a field that is no list.
 */
export function atMost<In, Out, R extends boolean>(
  max: number,
  field: Field<In, Out, R>,
): Field<In, Out, R> {
  const { kind } = field;
  if (kind.kind !== 'array' && kind.kind !== 'pods' && kind.kind !== 'packed-u64')
    throw new TypeError(`a field of kind ${kind.kind} is no list`);
  return { ...field, kind: { ...kind, max } };
}

/** Returns a field that is not written when it equals its default. */
export function omitDefault<In, Out>(field: Field<In, Out, boolean>): Field<In, Out, false> {
  return { kind: field.kind, presence: 'unless-default', fallback: field.fallback };
}

/** Returns a field that is not written when it is undefined. */
export function optional<In, Out>(field: Field<In, Out, boolean>): Field<In, Out, false> {
  return { kind: field.kind, presence: 'if-given', fallback: field.fallback };
}

/**
 * Returns a field that is written as one of two kinds, depending on its value. A reader takes the first kind
 * that fits, or the kind that `by` selects (0 or 1).
 */
export function eitherOf<InA, A, InB, B>(
  first: Field<InA, A, boolean>,
  second: Field<InB, B, boolean>,
  isFirst: (value: A | B) => value is A & (A | B),
  by?: ChoiceBy,
): Field<InA | InB | undefined, A | B, false> {
  return {
    kind: {
      kind: 'choice',
      of: [first.kind, second.kind],
      pick: (value) => (isFirst(value as A | B) ? 0 : 1),
      ...(by && { by }),
    },
    presence: 'if-given',
    fallback: undefined,
  };
}

/**
 * Returns an object field that programs hold in another form: `read` makes it from the object (throws
 * DecodeError), `write` makes the object from it (throws RangeError).
 */
export function mapped<F extends Fields, T>(
  table: Table<F>,
  conversions: { read: (object: InputOf<F>) => T; write: (value: T) => OutputOf<F> },
): Field<T, T, true> {
  const kind: Kind = {
    kind: 'mapped',
    table,
    read: (object) => conversions.read(object as InputOf<F>),
    write: (value) => conversions.write(value as T),
  };
  return always<T, T>(kind, undefined);
}

/** A table without fields: reads only the structure of a document, and writes an empty section. */
export const EMPTY_TABLE: Table<Record<never, never>> = defineTable({});
