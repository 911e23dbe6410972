import {
  defineTable,
  f,
  type Field,
  type Fields,
  type InputOf,
  type Kind,
  type OutputOf,
} from '@monero-node/codec/portable-storage';

/**
 * Fields that an answer has besides its own: `basic` adds status and untrusted, `access` also the leftovers of paid
 * RPC (credits, top_hash), `status` only the status.
 */
export type AnswerBase = 'basic' | 'access' | 'status';

const BASE_FIELDS = {
  status: { status: f.text() },
  basic: { status: f.text(), untrusted: f.bool() },
  access: { status: f.text(), untrusted: f.bool(), credits: f.u64(), top_hash: f.text() },
} as const satisfies Record<AnswerBase, Fields>;

/** Where a method can be called. */
export interface MethodAddresses {
  /** JSON-RPC names, the preferred one first. */
  readonly names?: readonly string[];
  /** Paths that take and return JSON, the preferred one first. */
  readonly paths?: readonly string[];
  /** Paths that take and return portable storage, the preferred one first. */
  readonly binaryPaths?: readonly string[];
}

interface MethodFacts extends MethodAddresses {
  /** One sentence for the generated documents. */
  readonly summary: string;
  /** Whether restricted listeners serve it. */
  readonly restricted: 'served' | 'hidden';
  /**
   * The answer depends only on the request, the main chain and whether the node is synchronized, so a server may cache
   * it until one of these changes.
   */
  readonly steady?: boolean;
}

/** The contract of one method. */
export interface MethodSchema extends MethodFacts {
  /** A field table, or the list that JSON-RPC `params` must be. */
  readonly request: Kind;
  /** A successful answer: a field table or one bare value. */
  readonly response: Kind;
}

/** The types of a method on both sides. */
export interface MethodTypes {
  /** The request as the handler gets it: every field is present. */
  readonly input: unknown;
  /** The answer as the handler returns it: without `status`. */
  readonly output: unknown;
  /** The request as a client sends it: every field may be left out. */
  readonly request: unknown;
  /** The answer as a client reads it: every field is present. */
  readonly reply: unknown;
}

/** A schema that knows its addresses and types at compile time. */
export type TypedSchema<A extends MethodAddresses, T extends MethodTypes> = MethodSchema &
  A & {
    /** Only for the type checker. */
    readonly phantom?: T;
  };

/** A value of a request as a client gives it: bytes, or their hex, wherever the value is bytes. */
type Given<T> = T extends Uint8Array
  ? Uint8Array | string
  : T extends readonly (infer Item)[]
    ? readonly Given<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Given<T[K]> }
      : T;

/** The request of a client: any of the table's fields. */
export type RequestFor<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends Field<unknown, infer O, boolean>
    ? Given<Exclude<O, AsyncIterable<unknown>>>
    : never;
};

/** The answer as a client reads it: objects that are absent are read as objects of defaults. */
export type ReplyFor<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer I, unknown, true>
    ? Exclude<I, undefined>
    : F[K] extends Field<infer I, unknown, boolean>
      ? I
      : never;
};

interface TableMethod<
  Q extends Fields,
  R extends Fields,
  B extends AnswerBase,
> extends MethodFacts {
  readonly base: B;
  readonly request: Q;
  readonly response: R;
}

type BaseFields<B extends AnswerBase> = (typeof BASE_FIELDS)[B];

/** Returns what is left of a definition: the compiler does not follow that the generic addresses are among it. */
function factsOf<A extends MethodAddresses>(definition: object): MethodFacts & A {
  return definition as MethodFacts & A;
}

/** Defines a method whose request and answer are objects. */
export function defineMethod<
  Q extends Fields,
  R extends Fields,
  B extends AnswerBase,
  const A extends MethodAddresses,
>({
  base,
  ...spec
}: TableMethod<Q, R, B> & A): TypedSchema<
  A,
  {
    input: InputOf<Q>;
    output: OutputOf<R>;
    request: RequestFor<Q>;
    reply: ReplyFor<R & BaseFields<B>>;
  }
> {
  return {
    ...factsOf<A>(spec),
    request: { kind: 'object', table: defineTable(spec.request) },
    response: {
      kind: 'object',
      table: defineTable({ ...BASE_FIELDS[base], ...spec.response }),
    },
  };
}

interface ListMethod<In, Out, R> extends MethodFacts {
  /** An item of the list `params`. */
  readonly items: Field<In, Out, boolean>;
  readonly response: R;
}

/** Defines a JSON-RPC method whose `params` is a list and whose answer is an object with status and untrusted. */
export function defineListMethod<In, Item, R extends Fields, const A extends MethodAddresses>({
  items,
  ...spec
}: ListMethod<In, Item, R> & A): TypedSchema<
  A,
  {
    input: readonly In[];
    output: OutputOf<R>;
    request: readonly Given<Item>[];
    reply: ReplyFor<R & BaseFields<'basic'>>;
  }
> {
  return {
    ...factsOf<A>(spec),
    request: { kind: 'array', of: items.kind },
    response: { kind: 'object', table: defineTable({ ...BASE_FIELDS.basic, ...spec.response }) },
  };
}

/** Defines a JSON-RPC method whose `params` is a list and whose result is one bare value. */
export function defineListToValue<In, Item, Value, Out, const A extends MethodAddresses>({
  items,
  ...spec
}: ListMethod<In, Item, Field<Value, Out, boolean>> & A): TypedSchema<
  A,
  { input: readonly In[]; output: Out; request: readonly Given<Item>[]; reply: Value }
> {
  return {
    ...factsOf<A>(spec),
    request: { kind: 'array', of: items.kind },
    response: spec.response.kind,
  };
}

interface ValueMethod<Q extends Fields, Value, Out> extends MethodFacts {
  readonly request: Q;
  readonly response: Field<Value, Out, boolean>;
}

/** Defines a JSON-RPC method that takes an object and whose result is one bare value. */
export function defineValueMethod<Q extends Fields, Value, Out, const A extends MethodAddresses>(
  spec: ValueMethod<Q, Value, Out> & A,
): TypedSchema<A, { input: InputOf<Q>; output: Out; request: RequestFor<Q>; reply: Value }> {
  return {
    ...factsOf<A>(spec),
    request: { kind: 'object', table: defineTable(spec.request) },
    response: spec.response.kind,
  };
}
