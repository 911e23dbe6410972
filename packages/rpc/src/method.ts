import type { RpcContext, RpcServices } from './context.ts';
import type { RpcStatus } from './errors.ts';
import {
  defineTable,
  type Field,
  type Fields,
  type InputOf,
  type Kind,
  type OutputOf,
  type Table,
} from './wire/kinds.ts';
import { f } from './wire/fields.ts';
import { readKind, readTable } from './wire/read.ts';
import type { WireObject, WireValue } from './wire/value.ts';

/**
 * Fields that an answer has besides its own: `basic` status and untrusted, `access` also the leftovers of paid RPC
 * (credits, top_hash), `status` only the status.
 */
export type AnswerBase = 'basic' | 'access' | 'status';

const BASE_FIELDS = {
  status: { status: f.text() },
  basic: { status: f.text(), untrusted: f.bool() },
  access: { status: f.text(), untrusted: f.bool(), credits: f.u64(), top_hash: f.text() },
} as const satisfies Record<AnswerBase, Fields>;

interface MethodAddress {
  /** What it does, in one sentence of the generated documents. */
  readonly summary: string;
  /** JSON-RPC names, the preferred one first. */
  readonly names?: readonly string[];
  /** Paths that take and return JSON, the preferred one first. */
  readonly paths?: readonly string[];
  /** Paths that take and return portable storage. */
  readonly binaryPaths?: readonly string[];
  /** Whether restricted listeners serve it. */
  readonly restricted: 'served' | 'hidden';
  /**
   * The answer depends on nothing but the request, the main chain and whether the node is synchronized, so that it may be kept
   * until one of these changes. Only of methods called by name.
   */
  readonly steady?: boolean;
  /** Whether this node can serve it at all; yes when absent. */
  readonly available?: (services: RpcServices) => boolean;
}

/** An answer ready to be written: a value and how to write it. */
export interface Answer {
  readonly kind: Kind;
  readonly value: unknown;
}

/** Names of a method as literal types. */
type Literals = Pick<MethodAddress, 'names' | 'paths' | 'binaryPaths'>;

/** A method with its types: `Request` is what a client may send, `Reply` what it gets. */
export type TypedMethod<L extends Literals, Request, Reply> = RpcMethod &
  L & {
    /** Only for the type checker. */
    readonly phantom?: { readonly request: Request; readonly reply: Reply };
  };

/** What a client may send for a table: any of its fields. */
export type RequestFor<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends Field<unknown, infer O, boolean>
    ? Exclude<O, AsyncIterable<unknown>>
    : never;
};

/** A method with its types forgotten, as the gateway handles it. */
export interface RpcMethod extends MethodAddress {
  /** How the request looks: a field table, or the list that JSON-RPC `params` must be. */
  readonly request: Kind;
  /** How a successful answer looks. */
  readonly response: Kind;
  /**
   * Reads the request and runs the handler; `params` undefined is an empty request.
   * Throws FieldTypeError for a request that does not fit, and whatever the handler throws.
   */
  readonly call: (params: WireValue | undefined, context: RpcContext) => Promise<Answer>;
  /** The answer of a call that ended with a status other than OK. */
  readonly failure?: (ended: RpcStatus) => Answer;
}

interface TableMethod<
  Q extends Fields,
  R extends Fields,
  B extends AnswerBase,
> extends MethodAddress {
  readonly base: B;
  readonly request: Q;
  readonly response: R;
  readonly handler: (
    request: InputOf<Q>,
    context: RpcContext,
  ) => OutputOf<R> | Promise<OutputOf<R>>;
}

const NO_MEMBERS: WireObject = new Map();

/** Defines a method whose request and answer are objects. */
export function defineMethod<
  Q extends Fields,
  R extends Fields,
  B extends AnswerBase,
  const L extends Literals,
>(
  spec: TableMethod<Q, R, B> & L,
): TypedMethod<L, RequestFor<Q>, InputOf<R & (typeof BASE_FIELDS)[B]>> {
  const request = defineTable(spec.request);
  const table: Table = defineTable({ ...BASE_FIELDS[spec.base], ...spec.response });
  const response: Kind = { kind: 'object', table };
  return {
    ...spec,
    request: { kind: 'object', table: request },
    response,
    call: async (params, context) => {
      const input = readTable(request, params instanceof Map ? params : NO_MEMBERS);
      const output = await spec.handler(input, context);
      return { kind: response, value: { ...output, status: 'OK' } };
    },
    failure: ({ status, fields }) => ({ kind: response, value: { ...fields, status } }),
  };
}

interface ListMethod<
  In,
  R extends Field<unknown, unknown, boolean> | Fields,
> extends MethodAddress {
  /** What the list `params` holds. */
  readonly items: Field<In, unknown, boolean>;
  /** Either one bare value or a field table (with status and untrusted added). */
  readonly response: R;
  readonly handler: (
    items: readonly In[],
    context: RpcContext,
  ) => ListOutput<R> | Promise<ListOutput<R>>;
}

type ListOutput<R> =
  R extends Field<unknown, infer Out, boolean> ? Out : R extends Fields ? OutputOf<R> : never;

/** Defines a JSON-RPC method whose `params` is a list; anything else counts as the empty list. */
export function defineListMethod<In, F extends Fields, const L extends Literals>(
  spec: ListMethod<In, F> & L,
): TypedMethod<L, readonly In[], InputOf<F & (typeof BASE_FIELDS)['basic']>> {
  const table: Table = defineTable({ ...BASE_FIELDS.basic, ...spec.response });
  const response: Kind = { kind: 'object', table };
  return {
    ...listMethod(spec, response, (output) => ({ ...(output as object), status: 'OK' })),
    failure: ({ status, fields }) => ({ kind: response, value: { ...fields, status } }),
  };
}

/** Defines a JSON-RPC method whose `params` is a list and whose result is one bare value. */
export function defineListToValue<In, Value, Out, const L extends Literals>(
  spec: ListMethod<In, Field<Value, Out, boolean>> & L,
): TypedMethod<L, readonly In[], Value> {
  return listMethod(spec, spec.response.kind, (output) => output);
}

function listMethod<In, R extends Field<unknown, unknown, boolean> | Fields, L extends Literals>(
  spec: ListMethod<In, R> & L,
  response: Kind,
  finish: (output: unknown) => unknown,
): RpcMethod & L {
  const request: Kind = { kind: 'array', of: spec.items.kind };
  return {
    ...spec,
    request,
    response,
    call: async (params, context) => {
      const items = params === undefined ? undefined : readKind(request, params);
      const output = await spec.handler((items ?? []) as readonly In[], context);
      return { kind: response, value: finish(output) };
    },
  };
}

interface ValueMethod<Q extends Fields, Value, Out> extends MethodAddress {
  readonly request: Q;
  readonly response: Field<Value, Out, boolean>;
  readonly handler: (request: InputOf<Q>, context: RpcContext) => Out | Promise<Out>;
}

/** Defines a JSON-RPC method that takes an object and whose result is one bare value. */
export function defineValueMethod<Q extends Fields, Value, Out, const L extends Literals>(
  spec: ValueMethod<Q, Value, Out> & L,
): TypedMethod<L, RequestFor<Q>, Value> {
  const request = defineTable(spec.request);
  return {
    ...spec,
    request: { kind: 'object', table: request },
    response: spec.response.kind,
    call: async (params, context) => {
      const input = readTable(request, params instanceof Map ? params : NO_MEMBERS);
      return { kind: spec.response.kind, value: await spec.handler(input, context) };
    },
  };
}
