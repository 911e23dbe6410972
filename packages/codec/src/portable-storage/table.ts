import { MAX_NAME_LENGTH, type INTEGER_TYPES } from './format.ts';

/**
 * How a field looks on the wire. Kinds are data: the readers and writers of portable storage and JSON, and
 * the generated documents, switch over `kind`.
 */
export type Kind =
  | IntegerKind
  | { readonly kind: 'bool' }
  /** UTF-8 text. With `isHex` it stands for bytes, which clients may give as bytes too. */
  | { readonly kind: 'text'; readonly isHex?: true }
  /** Any bytes in a string, raw even in JSON. */
  | { readonly kind: 'blob' }
  /**
   * Bytes: hex text in JSON, raw in portable storage. With `size`, exactly that many or none; portable
   * storage has `size` zeros for none.
   */
  | { readonly kind: 'hex'; readonly size?: number }
  /** Many values of `size` bytes each, joined in one blob. Readers refuse more than `max`. */
  | { readonly kind: 'pods'; readonly size: number; readonly max?: number }
  /** Many little-endian unsigned 64-bit integers, joined in one blob. Not in JSON. */
  | { readonly kind: 'packed-u64'; readonly max?: number }
  | { readonly kind: 'array'; readonly of: Kind; readonly max?: number }
  | { readonly kind: 'object'; readonly table: Table }
  | MappedKind
  | ChoiceKind
  /** JSON text that is sent unchanged. Only in answers, and not in portable storage. */
  | { readonly kind: 'json' };

export interface IntegerKind {
  readonly kind: 'integer';
  readonly name: keyof typeof INTEGER_TYPES;
  readonly bits: 8 | 16 | 32 | 64;
  readonly min: bigint;
  readonly max: bigint;
  /** Read as a number although it has 64 bits; a value above 2^53 - 1 is refused. */
  readonly safe?: true;
}

/** An object that programs hold in another form. Not in JSON. */
export interface MappedKind {
  readonly kind: 'mapped';
  readonly table: Table;
  /** Makes the program's form from an object of `table`. Throws DecodeError. */
  readonly read: (object: unknown) => unknown;
  /** Makes an object of `table` from the program's form. Throws RangeError. */
  readonly write: (value: unknown) => unknown;
}

/**
 * One of several kinds. A writer chooses by the value. A reader of portable storage chooses by another field
 * of the same object if there is `by`; otherwise it takes the first kind that fits.
 */
export interface ChoiceKind {
  readonly kind: 'choice';
  readonly of: readonly Kind[];
  /** Returns the index in `of` of the kind that a value is written as. */
  readonly pick: (value: unknown) => number;
  readonly by?: ChoiceBy;
}

/** The field that a reader chooses by. */
export interface ChoiceBy {
  readonly field: string;
  /** Returns the index in `of` for that field's value. Throws DecodeError when the value allows none. */
  readonly index: (value: unknown) => number;
}

/**
 * When a field is written: always, unless it equals its default, or when it is not undefined. Empty lists are
 * written only by `always`.
 */
export type Presence = 'always' | 'unless-default' | 'if-given';

/**
 * One row of a field table. `In` is the type of the value that a reader returns, `Out` of the value that a writer takes; `Required` is true
 * when a writer must be given a value.
 */
export interface Field<In, Out, Required extends boolean> {
  readonly kind: Kind;
  readonly presence: Presence;
  /**
   * The value that a reader returns when the field is absent, and a writer sends when an `always` field is not given.
   * For an object that is always present, undefined means one in which every field has its default.
   */
  readonly fallback: In | undefined;
  /** Only for the type checker. */
  readonly phantom?: { readonly out: Out; readonly required: Required };
}

/** A field whose types do not matter. */
export type AnyField = Field<unknown, unknown, boolean>;

export type Fields = Readonly<Record<string, AnyField>>;

/** A member of a table: its name, its field, and the name as portable storage has it (length, characters). */
export type TableRow = readonly [name: string, field: AnyField, wireName: Uint8Array];

/** A field table: the members of an object. */
export interface Table<F extends Fields = Fields> {
  readonly fields: F;
  /** In byte order of the names, which is the order of writing. */
  readonly sorted: readonly TableRow[];
  /** Position in `sorted` by name. */
  readonly positions: ReadonlyMap<string, number>;
  /** Whether an object can contain an array, at any depth. Lists packed into one string do not count. */
  readonly hasLists: boolean;
}

type OutOf<T> = T extends Field<unknown, infer O, boolean> ? O : never;
type RequiredKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<unknown, unknown, true> ? K : never;
}[keyof F];

/** The object that a reader returns for a table. */
export type InputOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer I, unknown, boolean> ? I : never;
};

/** The object that a writer takes for a table. */
export type OutputOf<F extends Fields> = {
  readonly [K in RequiredKeys<F>]: OutOf<F[K]>;
} & { readonly [K in Exclude<keyof F, RequiredKeys<F>>]?: OutOf<F[K]> | undefined };

/** The object that a reader returns for a table, by the table's type: `MessageOf<typeof PING_RESPONSE>`. */
export type MessageOf<T extends Table> = InputOf<T['fields']>;

/**
 * Makes a field table, used for reading and writing:
 *
 * ```ts
 * const PING_RESPONSE = defineTable({ peer_id: f.u64(), status: f.text() });
 * type PingResponse = MessageOf<typeof PING_RESPONSE>;
 * ```
 *
 * Throws RangeError for a name that is empty, longer than 254 characters or not Latin-1.
 */
export function defineTable<F extends Fields>(fields: F): Table<F> {
  const sorted = Object.entries(fields)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, field]): TableRow => [name, field, wireName(name)]);
  return {
    fields,
    sorted,
    positions: new Map(sorted.map(([name], i) => [name, i])),
    hasLists: sorted.some(([, { kind }]) => containsList(kind)),
  };
}

function containsList(kind: Kind): boolean {
  switch (kind.kind) {
    case 'array':
      return true;
    case 'object':
    case 'mapped':
      return kind.table.hasLists;
    case 'choice':
      return kind.of.some(containsList);
    default:
      return false;
  }
}

/**
 * Returns a name as it is written: a length byte and one byte per character.
 * Throws RangeError for a name that is empty, longer than 254 characters or not Latin-1.
 */
export function wireName(name: string): Uint8Array {
  if (name.length === 0 || name.length > MAX_NAME_LENGTH) {
    throw new RangeError(`entry name of ${name.length} characters`);
  }
  const bytes = new Uint8Array(name.length + 1);
  bytes[0] = name.length;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code > 0xff) throw new RangeError('entry name is not Latin-1');
    bytes[i + 1] = code;
  }
  return bytes;
}
