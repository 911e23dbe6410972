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
export interface Answer {
  readonly kind: Kind;
  readonly value: unknown;
}

/** Whether a node with these services can serve a method. */
export type Availability = (services: RpcServices) => boolean;

/** A method that this node serves. */
export interface RpcMethod extends MethodSchema {
  /** In logs and counters. */
  readonly name: string;
  /** Always when absent. */
  readonly available: Availability | undefined;
  /**
   * Runs the handler with the request that `read` returns or resolves with. Rejects with whatever `read` or the handler throws,
   * such as FieldTypeError for a request that does not fit.
   */
  readonly call: (read: () => unknown, context: RpcContext) => Promise<Answer>;
  /**
   * Returns the answer of a call that ended with a status other than OK. The function is undefined for methods
   * without a status.
   */
  readonly failure: ((ended: RpcStatus) => Answer) | undefined;
}

type AnyHandler = (request: never, context: RpcContext) => unknown;

/** Joins the schema of a method with its handler. */
export function bindHandler(
  schema: MethodSchema,
  handler: AnyHandler,
  available?: Availability,
): RpcMethod {
  const { response } = schema;
  const hasStatus = response.kind === 'object' && 'status' in response.table.fields;
  const success = withStatusOk(response);
  return {
    ...schema,
    name: methodName(schema),
    available,
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
