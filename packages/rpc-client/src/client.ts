import { concatBytes } from '@monero-node/codec/bytes';
import { ByteSink, DecodeError } from '@monero-node/codec/portable-storage';
import {
  type BinaryPath,
  FieldTypeError,
  JSON_RPC_PATH,
  JsonParseError,
  type JsonPath,
  METHOD_SCHEMAS,
  type MethodAddressKind,
  type MethodSchema,
  parseWireJson,
  type ReplyOf,
  type RequestTo,
  type RpcName,
  type WireObject,
  wireText,
} from '@monero-node/rpc-schema';
import { RpcAnswerError, RpcCallError, RpcStatusError } from './errors.ts';
import { createFetchTransport } from './fetch-transport.ts';
import { readAnswer, readBinaryAnswer } from './read-answer.ts';
import type { HttpOptions, RpcTransport } from './transport.ts';
import { binaryRequest, jsonRequest } from './write-request.ts';

const JSON_TYPE = 'application/json';
const BINARY_TYPE = 'application/octet-stream';

/** Either where the server is, to be reached with `fetch`, or a transport. */
export type RpcClientOptions = HttpOptions | { readonly transport: RpcTransport };

/**
 * A client of the RPC of this node and of monerod, typed by the schemas of the methods: 64-bit integers are bigint, hashes
 * and blobs are bytes, lists are never absent.
 *
 * Every call rejects with a subclass of RpcError: RpcConnectionError, RpcLoginError, RpcHttpError, RpcCallError (JSON-RPC
 * errors), RpcStatusError (a status other than OK) or RpcAnswerError. A request that does not fit its table is a
 * TypeError or FieldValueError.
 */
export class RpcClient {
  readonly #transport: RpcTransport;

  /** Throws TypeError for an address that is not a URL with http or https. */
  constructor(options: RpcClientOptions) {
    this.#transport = 'transport' in options ? options.transport : createFetchTransport(options);
  }

  /** Closes the connection. */
  close(): void {
    this.#transport.close();
  }

  /** Calls a JSON-RPC method. */
  async rpc<N extends RpcName>(
    name: N,
    params?: RequestTo<'names', N>,
  ): Promise<ReplyOf<'names', N>> {
    const method = methodAt('names', name);
    const body = callBody(
      name,
      params === undefined ? undefined : jsonRequest(method.request, params),
    );
    const answer = parse(await this.#transport.post(JSON_RPC_PATH, JSON_TYPE, body), parseWireJson);
    const error = answer.get('error');
    if (error instanceof Map) throw callError(error);
    const result = answer.get('result');
    if (result === undefined) throw new RpcAnswerError('neither a result nor an error');
    return reply(readable(() => readAnswer(method.response, result))) as ReplyOf<'names', N>;
  }

  /** Calls a path that takes and returns JSON. */
  async path<P extends JsonPath>(
    path: P,
    request?: RequestTo<'paths', P>,
  ): Promise<ReplyOf<'paths', P>> {
    const method = methodAt('paths', path);
    const body = jsonRequest(method.request, request ?? {});
    const answer = parse(await this.#transport.post(path, JSON_TYPE, body), parseWireJson);
    return reply(readable(() => readAnswer(method.response, answer))) as ReplyOf<'paths', P>;
  }

  /** Calls a path that takes and returns portable storage. */
  async binary<P extends BinaryPath>(
    path: P,
    request?: RequestTo<'binaryPaths', P>,
  ): Promise<ReplyOf<'binaryPaths', P>> {
    const method = methodAt('binaryPaths', path);
    const body = binaryRequest(method.request, request ?? {});
    const bytes = await this.#transport.post(path, BINARY_TYPE, body);
    return reply(readable(() => readBinaryAnswer(method.response, bytes))) as ReplyOf<
      'binaryPaths',
      P
    >;
  }
}

/** The body of a JSON-RPC call. */
function callBody(name: string, params: Uint8Array | undefined): Uint8Array {
  const sink = new ByteSink();
  sink.latin1(`{"jsonrpc":"2.0","id":0,"method":"${name}"`);
  if (params !== undefined) {
    sink.latin1(',"params":');
    sink.bytes(params);
  }
  sink.latin1('}');
  return concatBytes(...sink.chunks());
}

function parse(bytes: Uint8Array, parser: (bytes: Uint8Array) => WireObject): WireObject {
  return readable(() => parser(bytes));
}

/** Returns the answer. Throws RpcStatusError unless its status, if it has one, is OK. */
function reply(answer: unknown): unknown {
  const status =
    typeof answer === 'object' && answer !== null && 'status' in answer ? answer.status : 'OK';
  if (typeof status === 'string' && status !== 'OK') throw new RpcStatusError(status, answer);
  return answer;
}

function callError(error: WireObject): RpcCallError {
  const code = error.get('code');
  const message = error.get('message');
  return new RpcCallError(
    Number(typeof code === 'number' ? code : 0),
    message instanceof Uint8Array ? wireText(message) : '',
  );
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (
      error instanceof JsonParseError ||
      error instanceof FieldTypeError ||
      error instanceof DecodeError
    ) {
      throw new RpcAnswerError(`the answer can't be read: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** Returns the schema of the method at an address. Throws TypeError when there is none. */
function methodAt(kind: MethodAddressKind, address: string): MethodSchema {
  const schemas: readonly MethodSchema[] = Object.values(METHOD_SCHEMAS);
  const found = schemas.find((method) => method[kind]?.includes(address));
  if (found === undefined) throw new TypeError(`no method ${address}`);
  return found;
}
