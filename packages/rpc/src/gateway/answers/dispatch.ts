import { inSlices } from '@monero-node/base';
import type { Yielder } from '@monero-node/base';
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

/** Answers a request, whose body is JSON text or portable storage bytes. Rejects only with AbandonedCallError. */
export async function dispatch(
  url: string,
  body: Uint8Array,
  routes: Routes,
  context: RpcContext,
): Promise<Reply> {
  const reply = await answer(url, body, routes, context);
  const { rest } = reply.body;
  if (rest === undefined) return reply;
  return { ...reply, body: { ...reply.body, rest: logFailure(rest, url, context) } };
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

async function answer(
  url: string,
  body: Uint8Array,
  routes: Routes,
  context: RpcContext,
): Promise<Reply> {
  try {
    if (url === JSON_RPC_PATH) return await answerJsonRpc(body, routes.names, context, invoke);
    const json = routes.jsonPaths.get(url);
    if (json !== undefined) return await answerPath(json, body, JSON_FORM, context);
    const binary = routes.binaryPaths.get(url);
    if (binary !== undefined) return await answerPath(binary, body, BINARY_FORM, context);
    return NOT_FOUND;
  } catch (error) {
    if (error instanceof AbandonedCallError || error instanceof AskMainError) throw error;
    context.services.logger.error(
      `${url} failed: ${error instanceof Error ? error.stack : String(error)}`,
    );
    return SERVER_ERROR;
  }
}

/** Returns the request of a parsed body, or a promise of it. Throws FieldTypeError. */
type ReadRequest = () => unknown;

/** The form of the requests and answers of a path. */
interface BodyForm {
  /** Parses a body and returns what reads the request from it. Throws DecodeError or JsonParseError. */
  readonly parse: (method: RpcMethod, body: Uint8Array, yielder: Yielder) => Promise<ReadRequest>;
  readonly write: (answer: MethodAnswer, yielder: Yielder) => Body | Promise<Body>;
  readonly reply: (body: Body) => Reply;
}

const JSON_FORM: BodyForm = {
  parse: async ({ request }, body, yielder) => {
    const params = await inSlices(parseWireJsonSteps(body), yielder);
    return () => inSlices(readJsonRequest(request, params), yielder);
  },
  write: jsonBody,
  reply: jsonReply,
};

const BINARY_FORM: BodyForm = {
  parse: async (method, body, yielder) => {
    const request = await inSlices(readBinaryRequest(method.request, body), yielder);
    return () => request;
  },
  write: binaryBody,
  reply: binaryReply,
};

async function answerPath(
  method: RpcMethod,
  body: Uint8Array,
  { parse, write, reply }: BodyForm,
  context: RpcContext,
): Promise<Reply> {
  const refusal = hiddenFromPages(method, context);
  if (refusal !== undefined) return refusal;
  const read = await tryParse(async () => parse(method, body, context.yielder));
  if (read === undefined) return BAD_REQUEST;
  try {
    const body = await write(await invoke(method, read, context), context.yielder);
    return keptForm(reply(body), method);
  } catch (error) {
    if (error instanceof FieldTypeError) return BAD_REQUEST;
    const ended = statusOf(error, method, context);
    if (ended === undefined || method.failure === undefined) throw error;
    return asFailed(reply(await write(method.failure(ended), context.yielder)));
  }
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

/** Only here a DecodeError is the caller's fault; one from a handler is a damaged store. */
async function tryParse<T>(parse: () => Promise<T>): Promise<T | undefined> {
  try {
    return await parse();
  } catch (error) {
    if (error instanceof JsonParseError || error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** Calls a method and counts the call. */
async function invoke(
  method: RpcMethod,
  read: () => unknown,
  context: RpcContext,
): Promise<MethodAnswer> {
  const start = performance.now();
  let isCounted = true;
  try {
    const answer = await method.call(read, context);
    return context.untrusted ? markedUntrusted(answer) : answer;
  } catch (error) {
    // The main process counts it.
    if (error instanceof AskMainError) isCounted = false;
    throw error;
  } finally {
    if (isCounted) noteUse(method, context.services, (performance.now() - start) * 1000);
  }
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
