import { parseJson64, stringifyJson64, type JsonValue } from '@monero-node/codec';

export type JsonObject = Readonly<Record<string, JsonValue>>;

/** Answers RPC calls: a daemon over the network, or this one without. Integers beyond 2^53 are bigint in answers. */
export interface RpcCaller {
  /** Calls a JSON-RPC method. @throws RpcCallError, RpcConnectionError */
  method(name: string, params?: JsonValue): Promise<JsonObject>;
  /** Calls a path that takes and returns JSON. @throws RpcCallError, RpcConnectionError */
  path(path: string, request?: JsonObject): Promise<JsonObject>;
}

/** The daemon answered, but not with success: an error, or a status other than OK. */
export class RpcCallError extends Error {
  /** `status` of the answer, if that was it. */
  readonly status: string | undefined;

  constructor(message: string, status?: string) {
    super(message);
    this.name = 'RpcCallError';
    this.status = status;
  }
}

/** There is no daemon, or none that lets us in. */
export class RpcConnectionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RpcConnectionError';
  }
}

/** An HTTP answer. */
export interface PostAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/** Posts a body to a path. */
export type Post = (path: string, body: Uint8Array) => Promise<PostAnswer>;

const encode = (value: JsonValue): Uint8Array => Buffer.from(stringifyJson64(value), 'utf8');

/** A caller on top of something that posts. */
export function callerOver(post: Post): RpcCaller {
  const ask = async (path: string, request: JsonValue): Promise<JsonObject> => {
    const { status, body } = await post(path, encode(request));
    if (status === 401) throw new RpcConnectionError('the daemon wants a login (--rpc-login)');
    if (status === 404) throw new RpcCallError('not available from this daemon');
    if (status !== 200) throw new RpcCallError(`the daemon answered HTTP status ${status}`);
    return asObject(tryParse(body));
  };
  return {
    path: async (path, request = {}) => checked(await ask(path, { ...request })),
    method: async (name, params = {}) => {
      const answer = await ask('/json_rpc', { jsonrpc: '2.0', id: '0', method: name, params });
      if (answer['error'] !== undefined) throw new RpcCallError(errorText(answer['error']));
      const result = answer['result'];
      return isObject(result) ? checked(result) : { result: result ?? null };
    },
  };
}

/** Answers that have a status must say OK. */
function checked(answer: JsonObject): JsonObject {
  const { status } = answer;
  if (typeof status === 'string' && status !== 'OK') throw new RpcCallError(status, status);
  return answer;
}

function errorText(error: JsonValue): string {
  const { message, code } = asObject(error);
  return typeof message === 'string' && message !== '' ? message : `error code ${String(code)}`;
}

function tryParse(body: Uint8Array): JsonValue {
  try {
    return parseJson64(body);
  } catch {
    throw new RpcCallError('the daemon sent no valid JSON');
  }
}

function isObject(value: JsonValue | undefined): value is { [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: JsonValue): JsonObject {
  if (!isObject(value)) throw new RpcCallError('the daemon did not send a JSON object');
  return value;
}
