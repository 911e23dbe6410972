import { defineTable, type Kind } from '@monero-node/codec/portable-storage';
import {
  type HandlerInput,
  type HandlerOutput,
  type MethodKey,
  methodName,
  type MethodSchema,
} from '@monero-node/rpc-schema';
import type { RpcContext, RpcServices } from './context.ts';
import type { RpcStatus } from './errors.ts';

/** Answers the calls of one method; its types are those of the method's schema. */
export type HandlerOf<K extends MethodKey> = (
  request: HandlerInput<K>,
  context: RpcContext,
) => HandlerOutput<K> | Promise<HandlerOutput<K>>;

/** An answer ready to be written: a value and how to write it. */
export interface MethodAnswer {
  readonly kind: Kind;
  readonly value: unknown;
}

/** Whether a node with these services can serve a method. */
export type Availability = (services: RpcServices) => boolean;

/** Facts of a method besides its schema. */
interface MethodFacts {
  /**
   * Where calls are answered when the RPC has workers. `worker`: by the worker that has the connection, from the database; what
   * it needs of the pool it asks the main process for. `main`: passed on whole, because the call changes something or asks for
   * what only the main process has.
   */
  readonly answeredBy: 'worker' | 'main';
  /** Whether calls go to the bootstrap daemon while one is in use. Recorded from monerod 0.18.0.0. */
  readonly isForwarded?: boolean;
  /** Whether this node can serve the method; always when absent. */
  readonly available?: Availability | undefined;
}

/** A method's handler and its facts. */
interface MethodRow<K extends MethodKey> extends MethodFacts {
  readonly handler: HandlerOf<K>;
}

/** One row a method. */
export type MethodRows = { readonly [K in MethodKey]: MethodRow<K> };

/** A method that this node serves. */
export interface RpcMethod extends MethodSchema, MethodFacts {
  /** In logs and counters. */
  readonly name: string;
  /**
   * Runs the handler with the request that `read` returns or resolves with. Rejects with whatever `read` or the handler throws,
   * such as FieldTypeError for a request that does not fit.
   */
  readonly call: (read: () => unknown, context: RpcContext) => Promise<MethodAnswer>;
  /**
   * Returns the answer of a call that ended with a status other than OK. The function is undefined for methods
   * without a status.
   */
  readonly failure: ((ended: RpcStatus) => MethodAnswer) | undefined;
}

interface AnyRow extends MethodFacts {
  readonly handler: (request: never, context: RpcContext) => unknown;
}

/** Joins the schema of a method with its row. */
export function bindMethod(schema: MethodSchema, { handler, ...facts }: AnyRow): RpcMethod {
  const { response } = schema;
  const hasStatus = response.kind === 'object' && 'status' in response.table.fields;
  const success = withStatusOk(response);
  return {
    ...schema,
    ...facts,
    name: methodName(schema),
    call: async (read, context) => {
      const request = read();
      const given = request instanceof Promise ? await request : request;
      return { kind: success, value: await handler(given as never, context) };
    },
    failure: hasStatus
      ? ({ status, fields }) => ({ kind: response, value: { ...fields, status } })
      : undefined,
  };
}

/**
 * Returns the kind of a successful answer: a status that is not given is OK. Handlers give none, and adding it to each of
 * their answers would copy them.
 */
function withStatusOk(kind: Kind): Kind {
  if (kind.kind !== 'object') return kind;
  const { status, ...others } = kind.table.fields;
  if (status === undefined) return kind;
  return {
    kind: 'object',
    table: defineTable({ ...others, status: { ...status, fallback: 'OK' } }),
  };
}
