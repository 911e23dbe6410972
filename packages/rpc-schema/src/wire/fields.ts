import {
  defineTable,
  type Field,
  type Fields,
  type InputOf,
  type IntegerKind,
  type Kind,
  type OutputOf,
  type Table,
} from './kinds.ts';

type Integer = bigint | number;
/** An answer may give its objects one by one, so that a long list never exists as a whole. */
type Many<T> = readonly T[] | AsyncIterable<T>;

const integer = (name: IntegerKind['name'], bits: bigint, signed = false): IntegerKind => ({
  kind: 'integer',
  name,
  min: signed ? -(1n << (bits - 1n)) : 0n,
  max: (1n << (signed ? bits - 1n : bits)) - 1n,
});

const U8 = integer('u8', 8n);
const I8 = integer('i8', 8n, true);
const U16 = integer('u16', 16n);
const U32 = integer('u32', 32n);
const U64 = integer('u64', 64n);
const I64 = integer('i64', 64n, true);

function always<In, Out>(kind: Kind, fallback: In): Field<In, Out, true> {
  return { kind, presence: 'always', fallback };
}

function list<In, Out>(of: Kind): Field<readonly In[], Out, false> {
  return { kind: { kind: 'array', of }, presence: 'if-given', fallback: [] };
}

const NO_BYTES = new Uint8Array(0);

/** Builders of table rows. Small integers are numbers in requests, 64-bit ones bigint; answers take either. */
export const f = {
  u8: () => always<number, number>(U8, 0),
  i8: () => always<number, number>(I8, 0),
  u16: () => always<number, number>(U16, 0),
  u32: () => always<number, number>(U32, 0),
  u64: () => always<bigint, Integer>(U64, 0n),
  i64: () => always<bigint, Integer>(I64, 0n),
  bool: () => always<boolean, boolean>({ kind: 'bool' }, false),
  text: () => always<string, string>({ kind: 'text' }, ''),
  blob: () => always<Uint8Array, Uint8Array>({ kind: 'blob' }, NO_BYTES),
  /** Bytes of any length, hex in JSON. */
  hex: () => always<Uint8Array, Uint8Array>({ kind: 'hex' }, NO_BYTES),
  /** 32 bytes, hex in JSON. No bytes are sent as "" in JSON and as 32 zeros in portable storage. */
  hash: () => always<Uint8Array, Uint8Array>({ kind: 'hex', size: 32 }, NO_BYTES),
  /** 32-byte values joined in one blob. */
  hashBlob: (): Field<readonly Uint8Array[], readonly Uint8Array[], false> => ({
    kind: { kind: 'pods', size: 32 },
    presence: 'if-given',
    fallback: [],
  }),
  /** An object; undefined in an answer is one with all defaults. */
  object: <F extends Fields>(
    table: Table<F>,
  ): Field<InputOf<F> | undefined, OutputOf<F> | undefined, true> =>
    always({ kind: 'object', table }, undefined),
  objects: <F extends Fields>(table: Table<F>) =>
    list<InputOf<F>, Many<OutputOf<F>>>({ kind: 'object', table }),
  u32s: () => list<number, readonly number[]>(U32),
  u64s: () => list<bigint, readonly Integer[]>(U64),
  texts: () => list<string, readonly string[]>({ kind: 'text' }),
  blobs: () => list<Uint8Array, readonly Uint8Array[]>({ kind: 'blob' }),
  hexes: () => list<Uint8Array, readonly Uint8Array[]>({ kind: 'hex' }),
  hashes: () => list<Uint8Array, readonly Uint8Array[]>({ kind: 'hex', size: 32 }),
};

/** Gives a request field another default; an answer field that equals it is still sent. */
export function withDefault<In, Out, R extends boolean>(
  field: Field<In, Out, R>,
  fallback: In,
): Field<In, Out, R> {
  return { ...field, fallback };
}

/** An answer field that is left out when it equals its default. */
export function omitDefault<In, Out>(field: Field<In, Out, boolean>): Field<In, Out, false> {
  return { kind: field.kind, presence: 'unless-default', fallback: field.fallback };
}

/** An answer field that is left out when undefined. */
export function optional<In, Out>(field: Field<In, Out, boolean>): Field<In, Out, false> {
  return { kind: field.kind, presence: 'if-given', fallback: field.fallback };
}

/** An answer field that is sent as the one or the other kind, depending on its value. */
export function eitherOf<InA, A, InB, B>(
  first: Field<InA, A, boolean>,
  second: Field<InB, B, boolean>,
  isFirst: (value: A | B) => value is A & (A | B),
): Field<InA | InB | undefined, A | B, false> {
  return {
    kind: {
      kind: 'choice',
      of: [first.kind, second.kind],
      pick: (value) => (isFirst(value as A | B) ? 0 : 1),
    },
    presence: 'if-given',
    fallback: undefined,
  };
}

export const EMPTY_TABLE = defineTable({});
