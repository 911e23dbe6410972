import { inSlices } from '@monero-node/base';
import {
  FieldTypeError,
  JsonParseError,
  parseWireJsonSteps,
  RPC_ERROR,
  type WireObject,
  wireText,
  type WireValue,
} from '@monero-node/rpc-schema';
import type { RpcContext } from '../../context.ts';
import { AskMainError, JsonRpcError, RpcStatus } from '../../errors.ts';
import type { MethodAnswer, RpcMethod } from '../../method.ts';
import { AbandonedCallError } from '../limits/admission.ts';
import { hiddenFromPages } from './browser-guard.ts';
import { echoedId, NO_ID } from './call-id.ts';
import { machineFailure } from './machine-failure.ts';
import { readJsonRequest } from './read-request.ts';
import {
  asFailed,
  callReply,
  JSON_RPC_SERVER_ERROR,
  jsonReply,
  keptForm,
  type Reply,
} from './reply.ts';
import { errorBody, resultBody } from './write-answer.ts';

/** Runs a method, with what is counted and logged around it. */
export type Invoke = (
  method: RpcMethod,
  read: () => unknown,
  context: RpcContext,
) => Promise<MethodAnswer>;

const failed = (id: string, code: number, message: string): Reply =>
  asFailed(jsonReply(errorBody(id, code, message)));

/**
 * Answers a body sent to `/json_rpc`, UTF-8 JSON. The HTTP status is always 200, except when
 * `method` is not a string, and when a web page may not call it. A call without an id gets the id 0, or "" when its
 * method is unknown; one with an id too long to be echoed counts as malformed.
 */
export async function answerJsonRpc(
  body: Uint8Array,
  methods: ReadonlyMap<string, RpcMethod>,
  context: RpcContext,
  invoke: Invoke,
): Promise<Reply> {
  const parsed = tryParse(body, context);
  const request = parsed instanceof Promise ? await parsed : parsed;
  const givenId = request?.get('id');
  const id = givenId === undefined ? NO_ID : echoedId(givenId);
  if (request === undefined || id === undefined) {
    return failed(NO_ID, RPC_ERROR.parse, 'Parse error');
  }
  const name = request.get('method');
  if (name === undefined) return failed(NO_ID, RPC_ERROR.invalidRequest, 'Invalid Request');
  if (!(name instanceof Uint8Array)) return JSON_RPC_SERVER_ERROR;
  const called = wireText(name);
  const method = methods.get(called);
  if (method === undefined) {
    const shownId = givenId === undefined ? '""' : id;
    return { ...failed(shownId, RPC_ERROR.methodNotFound, 'Method not found'), called };
  }
  const reply = await answerMethod(method, id, request, context, invoke);
  return callReply(reply, method, called);
}

async function answerMethod(
  method: RpcMethod,
  id: string,
  request: WireObject,
  context: RpcContext,
  invoke: Invoke,
): Promise<Reply> {
  const refusal = hiddenFromPages(method, context);
  if (refusal !== undefined) return refusal;
  const version = request.get('jsonrpc');
  if (version !== undefined && !(version instanceof Uint8Array)) {
    return failed(NO_ID, RPC_ERROR.invalidParams, 'Invalid params');
  }
  try {
    return await call(method, id, request.get('params'), context, invoke);
  } catch (error) {
    return failureOf(error, id, method, context);
  }
}

async function call(
  method: RpcMethod,
  id: string,
  params: WireValue | undefined,
  context: RpcContext,
  invoke: Invoke,
): Promise<Reply> {
  try {
    const answer = await invoke(
      method,
      () => inSlices(readJsonRequest(method.request, params), context.yielder),
      context,
    );
    const writing = resultBody(id, answer, context.yielder);
    const body = writing instanceof Promise ? await writing : writing;
    return keptForm(jsonReply(body), method);
  } catch (error) {
    if (!(error instanceof RpcStatus) || method.failure === undefined) throw error;
    return asFailed(jsonReply(await resultBody(id, method.failure(error), context.yielder)));
  }
}

/**
 * A failure of this machine has a code and a sentence. Whatever else a handler throws is an error without code or message, as in
 * monerod; the log has the details.
 */
function failureOf(error: unknown, id: string, method: RpcMethod, context: RpcContext): Reply {
  if (error instanceof JsonRpcError) return failed(id, error.code, error.message);
  if (error instanceof AbandonedCallError || error instanceof AskMainError) throw error;
  if (error instanceof FieldTypeError) return failed(id, RPC_ERROR.invalidParams, 'Invalid params');
  const name = method.names?.[0] ?? '';
  const why = machineFailure(error);
  if (why !== undefined) {
    context.services.logger.info(`${name} failed: ${(error as Error).message}`);
    return failed(id, RPC_ERROR.internal, why);
  }
  context.services.logger.error(
    `${name} failed: ${error instanceof Error ? error.stack : String(error)}`,
  );
  return failed(id, RPC_ERROR.none, '');
}

/** Returns the object of a body, or undefined for one that is malformed; a promise of it when that takes long. */
function tryParse(
  body: Uint8Array,
  { yielder }: RpcContext,
): WireObject | undefined | Promise<WireObject | undefined> {
  try {
    const parsed = inSlices(parseWireJsonSteps(body), yielder);
    return parsed instanceof Promise ? parsed.catch(asMalformed) : parsed;
  } catch (error) {
    return asMalformed(error);
  }
}

function asMalformed(error: unknown): undefined {
  if (error instanceof JsonParseError) return undefined;
  throw error;
}
