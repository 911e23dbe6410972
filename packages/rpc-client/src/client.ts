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
  type MethodKey,
  type MethodSchema,
  parseWireJson,
  type ReplyOf,
  type RequestTo,
  type RpcName,
  type WireObject,
  wireText,
} from '@monero-node/rpc-schema';
import { Attempts } from './attempts.ts';
import type { CallOptions } from './call-options.ts';
import { RpcAnswerError, RpcCallError, RpcStatusError } from './errors.ts';
import { createFetchTransport } from './fetch-transport.ts';
import { CALL_HOOKS, type CallHooks } from './hooks.ts';
import { readAnswer, readBinaryAnswer } from './read-answer.ts';
import { isRepeatable } from './repeatable.ts';
import { RETRY, type RetryOptions, type RetryRule, retryRule } from './retry.ts';
import { HTTP_OPTIONS, type HttpOptions, type RpcTransport } from './transport.ts';
import type { WithDates } from './with-bytes.ts';
import { binaryRequest, jsonRequest } from './write-request.ts';

const JSON_TYPE = 'application/json';
const BINARY_TYPE = 'application/octet-stream';

/** How a client calls, whatever carries its calls. */
export interface CallingOptions {
  /** Tries calls again that failed for a reason that may pass, if they only read; by default nothing is sent twice. `{}` for the usual numbers. */
  readonly retry?: RetryOptions | undefined;
  /** Functions that are told of every request, answer and error. */
  readonly hooks?: CallHooks | undefined;
}

/** Where the nodes are, to be reached with `fetch`. */
export interface UrlOptions extends Omit<HttpOptions, 'url'>, CallingOptions {
  /** `http://host:port` or `https://host:port`, or several: the next is asked when one does not answer. */
  readonly url: string | readonly string[];
}

/** One or several transports that the client uses: the next is asked when one has no answer. */
export interface TransportOption extends CallingOptions {
  readonly transport: RpcTransport | readonly RpcTransport[];
}

/** Either where the nodes are, to be reached with `fetch`, or transports. */
export type RpcClientOptions = UrlOptions | TransportOption;

const CALLING: OptionTable<CallingOptions> = {
  retry: { optional: true, table: RETRY },
  hooks: { optional: true, table: CALL_HOOKS },
};
const TRANSPORT: OptionTable<TransportOption> = { transport: NEEDED, ...CALLING };
const URLS: OptionTable<UrlOptions> = { ...HTTP_OPTIONS, ...CALLING };

/**
 * A client of the RPC of this node and of monerod, typed by the schemas of the methods: 64-bit integers are bigint, hashes
 * and blobs are bytes, lists are never absent.
 *
 * Calls run at the same time, as many as the transport lets. Each takes the options of {@link CallOptions}: a signal that ends it and a
 * time-out of its own. With several nodes a call goes to the one that answered last, and to the next when that fails. With `retry` a call
 * that only reads is tried again, after a pause, when no node had an answer.
 *
 * Every call rejects with a subclass of RpcError, which has a `code`: RpcConnectionError, RpcLoginError, RpcHttpError, RpcCallError
 * (JSON-RPC errors), RpcStatusError (a status other than OK) or RpcAnswerError; or with the reason of its signal. A request that does
 * not fit its table is a TypeError or FieldValueError, and an unknown option an OptionError.
 */
export class RpcClient {
  readonly #attempts: Attempts;

  /**
   * Throws TypeError for an address that is not a URL with http or https, RangeError for a time-out or a concurrency that is not
   * positive, numbers of `retry` that are out of bounds or no node, and OptionError for a missing or an unknown option.
   */
  constructor(options: RpcClientOptions) {
    const rule = (): RetryRule => retryRule(options.retry);
    if ('transport' in options) {
      checkOptions('RpcClient', options, TRANSPORT);
      this.#attempts = new Attempts(listOf(options.transport), rule(), options.hooks ?? {});
    } else {
      checkOptions('RpcClient', options, URLS);
      const { url, login, timeout, maxAnswer, concurrency } = options;
      const transports = listOf(url).map((each) =>
        createFetchTransport({ url: each, login, timeout, maxAnswer, concurrency }),
      );
      this.#attempts = new Attempts(transports, rule(), options.hooks ?? {});
    }
  }

  /** Closes the connections. Calls under way fail with the code `closed`, those that wait for their turn or a pause too. */
  close(): void {
    this.#attempts.close();
  }

  /** The same as {@link RpcClient.close}. */
  [Symbol.dispose](): void {
    this.close();
  }

  /** Calls a JSON-RPC method. */
  async rpc<N extends RpcName>(
    name: N,
    params?: WithDates<RequestTo<'names', N>>,
    call: CallOptions = {},
  ): Promise<ReplyOf<'names', N>> {
    const [key, method] = methodAt('names', name);
    const body = callBody(
      name,
      params === undefined ? undefined : jsonRequest(method.request, params),
    );
    const read = (bytes: Uint8Array): ReplyOf<'names', N> => {
      const answer = parse(bytes, parseWireJson);
      const error = answer.get('error');
      if (error instanceof Map) throw callError(error);
      const result = answer.get('result');
      if (result === undefined) throw new RpcAnswerError('neither a result nor an error');
      return reply(readable(() => readAnswer(method.response, result))) as ReplyOf<'names', N>;
    };
    return this.#attempts.call(
      {
        name,
        path: JSON_RPC_PATH,
        contentType: JSON_TYPE,
        body,
        isRepeatable: isRepeatable(key),
        read,
      },
      call,
    );
  }

  /** Calls a path that takes and returns JSON. */
  async path<P extends JsonPath>(
    path: P,
    request?: WithDates<RequestTo<'paths', P>>,
    call: CallOptions = {},
  ): Promise<ReplyOf<'paths', P>> {
    const [key, method] = methodAt('paths', path);
    const body = jsonRequest(method.request, request ?? {});
    const read = (bytes: Uint8Array): ReplyOf<'paths', P> => {
      const answer = parse(bytes, parseWireJson);
      return reply(readable(() => readAnswer(method.response, answer))) as ReplyOf<'paths', P>;
    };
    return this.#attempts.call(
      { name: path, path, contentType: JSON_TYPE, body, isRepeatable: isRepeatable(key), read },
      call,
    );
  }

  /** Calls a path that takes and returns portable storage. */
  async binary<P extends BinaryPath>(
    path: P,
    request?: WithDates<RequestTo<'binaryPaths', P>>,
    call: CallOptions = {},
  ): Promise<ReplyOf<'binaryPaths', P>> {
    const [key, method] = methodAt('binaryPaths', path);
    const body = binaryRequest(method.request, request ?? {});
    const read = (bytes: Uint8Array): ReplyOf<'binaryPaths', P> =>
      reply(readable(() => readBinaryAnswer(method.response, bytes))) as ReplyOf<'binaryPaths', P>;
    return this.#attempts.call(
      { name: path, path, contentType: BINARY_TYPE, body, isRepeatable: isRepeatable(key), read },
      call,
    );
  }
}

/** Returns one or several as a list. Throws RangeError for none. */
function listOf<T extends string | RpcTransport>(given: T | readonly T[]): readonly T[] {
  const list: readonly T[] = Array.isArray(given) ? given : [given];
  if (list.length === 0) throw new RangeError('RpcClient: there is no node');
  return list;
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

/** Returns the method at an address, with its key. Throws TypeError when there is none. */
function methodAt(kind: MethodAddressKind, address: string): readonly [MethodKey, MethodSchema] {
  const schemas = Object.entries(METHOD_SCHEMAS) as [MethodKey, MethodSchema][];
  const found = schemas.find(([, method]) => method[kind]?.includes(address));
  if (found === undefined) throw new TypeError(`no method ${address}`);
  return found;
}
