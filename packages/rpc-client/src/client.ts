import { checkOptions, NEEDED, type OptionTable } from '@monero-node/base/options';
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
import { checkCall, runCall, type CallOptions } from './call-options.ts';
import { RpcAnswerError, RpcCallError, RpcConnectionError, RpcStatusError } from './errors.ts';
import { createFetchTransport } from './fetch-transport.ts';
import { readAnswer, readBinaryAnswer } from './read-answer.ts';
import { HTTP_OPTIONS, type HttpOptions, type RpcTransport } from './transport.ts';
import { binaryRequest, jsonRequest } from './write-request.ts';

const JSON_TYPE = 'application/json';
const BINARY_TYPE = 'application/octet-stream';

/** Either where the server is, to be reached with `fetch`, or a transport. */
export type RpcClientOptions = HttpOptions | TransportOption;

/** A transport that the client uses. */
export interface TransportOption {
  readonly transport: RpcTransport;
}

const TRANSPORT: OptionTable<TransportOption> = { transport: NEEDED };

/**
 * A client of the RPC of this node and of monerod, typed by the schemas of the methods: 64-bit integers are bigint, hashes
 * and blobs are bytes, lists are never absent.
 *
 * Calls run at the same time, as many as the transport lets. Each takes the options of {@link CallOptions}: a signal that ends it and a
 * time-out of its own.
 *
 * Every call rejects with a subclass of RpcError, which has a `code`: RpcConnectionError, RpcLoginError, RpcHttpError, RpcCallError
 * (JSON-RPC errors), RpcStatusError (a status other than OK) or RpcAnswerError; or with the reason of its signal. A request that does
 * not fit its table is a TypeError or FieldValueError, and an unknown option an OptionError.
 */
export class RpcClient {
  readonly #transport: RpcTransport;

  /**
   * Throws TypeError for an address that is not a URL with http or https, RangeError for a time-out or a concurrency that is not
   * positive, and OptionError for a missing or an unknown option.
   */
  constructor(options: RpcClientOptions) {
    if ('transport' in options) {
      checkOptions('RpcClient', options, TRANSPORT);
      this.#transport = options.transport;
    } else {
      checkOptions('RpcClient', options, HTTP_OPTIONS);
      this.#transport = createFetchTransport(options);
    }
  }

  /** Closes the connections. Calls under way fail with the code `closed`, those that wait for their turn too. */
  close(): void {
    this.#transport.close();
  }

  /** Calls a JSON-RPC method. */
  async rpc<N extends RpcName>(
    name: N,
    params?: RequestTo<'names', N>,
    call: CallOptions = {},
  ): Promise<ReplyOf<'names', N>> {
    const method = methodAt('names', name);
    const body = callBody(
      name,
      params === undefined ? undefined : jsonRequest(method.request, params),
    );
    const answer = parse(await this.#post(JSON_RPC_PATH, JSON_TYPE, body, call), parseWireJson);
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
    call: CallOptions = {},
  ): Promise<ReplyOf<'paths', P>> {
    const method = methodAt('paths', path);
    const body = jsonRequest(method.request, request ?? {});
    const answer = parse(await this.#post(path, JSON_TYPE, body, call), parseWireJson);
    return reply(readable(() => readAnswer(method.response, answer))) as ReplyOf<'paths', P>;
  }

  /** Calls a path that takes and returns portable storage. */
  async binary<P extends BinaryPath>(
    path: P,
    request?: RequestTo<'binaryPaths', P>,
    call: CallOptions = {},
  ): Promise<ReplyOf<'binaryPaths', P>> {
    const method = methodAt('binaryPaths', path);
    const body = binaryRequest(method.request, request ?? {});
    const bytes = await this.#post(path, BINARY_TYPE, body, call);
    return reply(readable(() => readBinaryAnswer(method.response, bytes))) as ReplyOf<
      'binaryPaths',
      P
    >;
  }

  /** Ends the wait by itself: a transport of somebody else may not know signals. */
  async #post(
    path: string,
    contentType: string,
    body: Uint8Array,
    call: CallOptions,
  ): Promise<Uint8Array> {
    checkCall(call);
    const { signal, timeout } = call;
    if (signal === undefined && timeout === undefined) {
      return this.#transport.post(path, contentType, body);
    }
    const timedOut = () =>
      new RpcConnectionError(`${path}: no answer in time`, { code: 'timeout' });
    return runCall(call, timedOut, (ends) =>
      this.#transport.post(path, contentType, body, { signal: ends, timeout }),
    );
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
