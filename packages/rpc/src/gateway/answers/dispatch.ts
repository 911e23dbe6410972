import { andThen, inSlices, settle, type Yielder } from '@monero-node/base';
import { performance } from 'node:perf_hooks';
import { DecodeError } from '@monero-node/codec';
import {
  FieldTypeError,
  JSON_RPC_PATH,
  JsonParseError,
  parseWireJsonSteps,
} from '@monero-node/rpc-schema';
import type { RpcContext, RpcServices } from '../../context.ts';
import { AskMainError, RpcStatus } from '../../errors.ts';
import type { MethodAnswer, RpcMethod } from '../../method.ts';
import { AbandonedCallError } from '../limits/admission.ts';
import { hiddenFromPages } from './browser-guard.ts';
import { answerJsonRpc } from './json-rpc.ts';
import { machineFailure } from './machine-failure.ts';
import { readBinaryRequest, readJsonRequest } from './read-request.ts';
import {
  asFailed,
  BAD_REQUEST,
  binaryReply,
  jsonReply,
  keptForm,
  NOT_FOUND,
  SERVER_ERROR,
  type Reply,
} from './reply.ts';
import type { Routes } from './routes.ts';
import { binaryBody, jsonBody, type Body } from './write-answer.ts';

/**
 * Answers a request, whose body is JSON text or portable storage bytes; at once where nothing has to be waited for. Throws, or
 * rejects with, AbandonedCallError and AskMainError only.
 */
export function dispatch(
  url: string,
  body: Uint8Array,
  routes: Routes,
  context: RpcContext,
): Reply | Promise<Reply> {
  return settle(
    () => answer(url, body, routes, context),
    (reply) => {
      const { rest } = reply.body;
      if (rest === undefined) return reply;
      return { ...reply, body: { ...reply.body, rest: logFailure(rest, url, context) } };
    },
    (error) => {
      if (error instanceof AbandonedCallError || error instanceof AskMainError) throw error;
      context.services.logger.error(
        `${url} failed: ${error instanceof Error ? error.stack : String(error)}`,
      );
      return SERVER_ERROR;
    },
  );
}

/** An answer that breaks off ends its connection, which is all that the client learns. */
async function* logFailure<T>(
  rest: AsyncGenerator<T, void>,
  url: string,
  { services: { logger } }: RpcContext,
): AsyncGenerator<T, void> {
  try {
    yield* rest;
  } catch (error) {
    if (!(error instanceof AbandonedCallError)) {
      logger.error(
        `${url}: an answer broke off: ${error instanceof Error ? error.stack : String(error)}`,
      );
    }
    throw error;
  }
}

function answer(
  url: string,
  body: Uint8Array,
  routes: Routes,
  context: RpcContext,
): Reply | Promise<Reply> {
  if (url === JSON_RPC_PATH) return answerJsonRpc(body, routes.names, context, invoke);
  const json = routes.jsonPaths.get(url);
  if (json !== undefined) return answerPath(json, body, JSON_FORM, context);
  const binary = routes.binaryPaths.get(url);
  if (binary !== undefined) return answerPath(binary, body, BINARY_FORM, context);
  return NOT_FOUND;
}

/** Returns the request of a parsed body, or a promise of it. Throws FieldTypeError. */
type ReadRequest = () => unknown;

/** The form of the requests and answers of a path. */
interface BodyForm {
  /** Parses a body and returns what reads the request from it. Throws DecodeError or JsonParseError. */
  readonly parse: (
    method: RpcMethod,
    body: Uint8Array,
    yielder: Yielder,
  ) => ReadRequest | Promise<ReadRequest>;
  readonly write: (answer: MethodAnswer, yielder: Yielder) => Body | Promise<Body>;
  readonly reply: (body: Body) => Reply;
}

const JSON_FORM: BodyForm = {
  parse: ({ request }, body, yielder) =>
    andThen(
      inSlices(parseWireJsonSteps(body), yielder),
      (params) => () => inSlices(readJsonRequest(request, params), yielder),
    ),
  write: jsonBody,
  reply: jsonReply,
};

const BINARY_FORM: BodyForm = {
  parse: (method, body, yielder) =>
    andThen(inSlices(readBinaryRequest(method.request, body), yielder), (request) => () => request),
  write: binaryBody,
  reply: binaryReply,
};

function answerPath(
  method: RpcMethod,
  body: Uint8Array,
  form: BodyForm,
  context: RpcContext,
): Reply | Promise<Reply> {
  const refusal = hiddenFromPages(method, context);
  if (refusal !== undefined) return refusal;
  return settle(
    () => form.parse(method, body, context.yielder),
    (read) => answerParsed(method, read, form, context),
    (error) => {
      // Only here a DecodeError is the caller's fault; one from a handler is a damaged store.
      if (error instanceof JsonParseError || error instanceof DecodeError) return BAD_REQUEST;
      throw error;
    },
  );
}

function answerParsed(
  method: RpcMethod,
  read: ReadRequest,
  { write, reply }: BodyForm,
  context: RpcContext,
): Reply | Promise<Reply> {
  return settle(
    () => andThen(invoke(method, read, context), (given) => write(given, context.yielder)),
    (body) => keptForm(reply(body), method),
    (error) => {
      if (error instanceof FieldTypeError) return BAD_REQUEST;
      const ended = statusOf(error, method, context);
      if (ended === undefined || method.failure === undefined) throw error;
      return andThen(write(method.failure(ended), context.yielder), (body) =>
        asFailed(reply(body)),
      );
    },
  );
}

/** Returns the status that an error ends a call with, if it ends it with one. A failure of this machine does. */
function statusOf(
  error: unknown,
  { names }: RpcMethod,
  { services: { logger } }: RpcContext,
): RpcStatus | undefined {
  if (error instanceof RpcStatus) return error;
  const why = machineFailure(error);
  if (why === undefined) return undefined;
  logger.info(`${names?.[0] ?? ''} failed: ${(error as Error).message}`);
  return new RpcStatus(why);
}

/** Calls a method and counts the call. */
function invoke(
  method: RpcMethod,
  read: () => unknown,
  context: RpcContext,
): MethodAnswer | Promise<MethodAnswer> {
  const start = performance.now();
  const count = (): void => {
    noteUse(method, context.services, (performance.now() - start) * 1000);
  };
  return settle(
    () => method.call(read, context),
    (answer) => {
      count();
      return context.untrusted ? markedUntrusted(answer) : answer;
    },
    (error) => {
      // The main process counts it otherwise.
      if (!(error instanceof AskMainError)) count();
      throw error;
    },
  );
}

/** Counts a call of a method and adds its duration in microseconds. */
export function noteUse(
  method: RpcMethod,
  { usage }: Pick<RpcServices, 'usage'>,
  microseconds: number,
): void {
  usage.add({ name: method.name, count: 1, time: microseconds });
}

/** Returns the answer with `untrusted` set, if it has that field. */
function markedUntrusted(answer: MethodAnswer): MethodAnswer {
  const { kind, value } = answer;
  if (kind.kind !== 'object' || kind.table.fields['untrusted'] === undefined) return answer;
  return { kind, value: { ...(value as object), untrusted: true } };
}
