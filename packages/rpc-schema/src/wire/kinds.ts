/** How a field looks on the wire. Data only: readers and writers for JSON and portable storage switch over it. */
export type Kind =
  | IntegerKind
  | { readonly kind: 'bool' }
  /** UTF-8 text. */
  | { readonly kind: 'text' }
  /** Any bytes in a string, raw even in JSON. */
  | { readonly kind: 'blob' }
  /** Bytes as hex text in JSON and as they are in portable storage; with `size` exactly so many, or none at all. */
  | { readonly kind: 'hex'; readonly size?: number }
  /** Many values of `size` bytes joined in one blob. */
  | { readonly kind: 'pods'; readonly size: number }
  | { readonly kind: 'array'; readonly of: Kind }
  | { readonly kind: 'object'; readonly table: Table }
  /** JSON text, sent as it is; only in answers, and not in portable storage. */
  | { readonly kind: 'json' }
  /** One of several, chosen by the value; only in answers. */
  | {
      readonly kind: 'choice';
      readonly of: readonly Kind[];
      readonly pick: (value: unknown) => number;
    };

export interface IntegerKind {
  readonly kind: 'integer';
  readonly name: 'i8' | 'u8' | 'u16' | 'u32' | 'u64' | 'i64';
  readonly min: bigint;
  readonly max: bigint;
}

/**
 * When a field appears in an answer. Arrays and objects without content never do.
 * `always`, `unless-default` (left out when it equals its default), `if-given` (left out when undefined).
 */
export type Presence = 'always' | 'unless-default' | 'if-given';

/** One row of a field table. `In` is what a handler gets from a request, `Out` what it may put into an answer. */
export interface Field<In, Out, Required extends boolean> {
  readonly kind: Kind;
  readonly presence: Presence;
  /** Value of an absent request field and of an answer field that a failed call did not fill. */
  readonly fallback: In;
  /** Only for the type checker. */
  readonly phantom?: { readonly out: Out; readonly required: Required };
}

export type Fields = Readonly<Record<string, Field<unknown, unknown, boolean>>>;

/** A field table: the members of an object, sorted as they are sent. */
export interface Table<F extends Fields = Fields> {
  readonly fields: F;
  readonly sorted: readonly (readonly [name: string, field: Field<unknown, unknown, boolean>])[];
}

type OutOf<T> = T extends Field<unknown, infer O, boolean> ? O : never;
type RequiredKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<unknown, unknown, true> ? K : never;
}[keyof F];

/** What a handler gets from a request of that table. */
export type InputOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer I, unknown, boolean> ? I : never;
};

/** What a handler has to answer for that table. */
export type OutputOf<F extends Fields> = {
  readonly [K in RequiredKeys<F>]: OutOf<F[K]>;
} & { readonly [K in Exclude<keyof F, RequiredKeys<F>>]?: OutOf<F[K]> | undefined };

/** Makes a field table. Names are sent in byte order. */
export function defineTable<F extends Fields>(fields: F): Table<F> {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return { fields, sorted };
}
