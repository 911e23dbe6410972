import { DecodeError } from '@monero-node/codec';
import {
  FieldTypeError,
  JsonParseError,
  parseWireJson,
  parseWireStorage,
  wireText,
  type RpcMethod,
  type WireObject,
  type WireValue,
} from '@monero-node/rpc/interface';
import { RpcAnswerError, RpcCallError, RpcStatusError } from './errors.ts';
import {
  methodAt,
  type BinaryPath,
  type JsonPath,
  type ReplyOf,
  type RequestTo,
  type RpcName,
} from './methods.ts';
import { readAnswer, type Format } from './read-answer.ts';
import { Transport, type TransportOptions } from './transport.ts';
import { binaryRequest, jsonRequest } from './write-request.ts';

/** Answers may hold far more than requests; sizes are bounded by the transport. */
const STORAGE_LIMITS = { objects: 1 << 22, fields: 1 << 24, strings: 1 << 22 };

const JSON_TYPE = 'application/json';
const BINARY_TYPE = 'application/octet-stream';

/**
 * A client of the RPC of this node, and of monerod. What can be asked and what comes back is known from the field tables of the
 * server: 64-bit integers are bigint, hashes and blobs are bytes, lists are never absent.
 *
 * Every call rejects with a kind of RpcError: RpcConnectionError, RpcLoginError, RpcHttpError, RpcCallError (JSON-RPC
 * errors), RpcStatusError (a status other than OK) or RpcAnswerError. A request that does not fit its table is a
 * TypeError or AnswerShapeError.
 */
export class RpcClient {
  readonly #transport: Transport;

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
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
    const written =
      params === undefined
        ? ''
        : `,"params":${jsonRequest(method.request, params).toString('latin1')}`;
    const body = Buffer.from(`{"jsonrpc":"2.0","id":0,"method":"${name}"${written}}`, 'latin1');
    const answer = parse(await this.#transport.post('/json_rpc', JSON_TYPE, body), parseWireJson);
    const error = answer.get('error');
    if (error instanceof Map) throw callError(error);
    const result = answer.get('result');
    if (result === undefined) throw new RpcAnswerError('neither a result nor an error');
    return reply(method, result, 'json') as ReplyOf<'names', N>;
  }

  /** Calls a path that takes and returns JSON. */
  async path<P extends JsonPath>(
    path: P,
    request?: RequestTo<'paths', P>,
  ): Promise<ReplyOf<'paths', P>> {
    const method = methodAt('paths', path);
    const body = jsonRequest(method.request, request ?? {});
    const answer = parse(await this.#transport.post(path, JSON_TYPE, body), parseWireJson);
    return reply(method, answer, 'json') as ReplyOf<'paths', P>;
  }

  /** Calls a path that takes and returns portable storage. */
  async binary<P extends BinaryPath>(
    path: P,
    request?: RequestTo<'binaryPaths', P>,
  ): Promise<ReplyOf<'binaryPaths', P>> {
    const method = methodAt('binaryPaths', path);
    const body = binaryRequest(method.request, request ?? {});
    const bytes = await this.#transport.post(path, BINARY_TYPE, body);
    const answer = parse(bytes, (from) => parseWireStorage(from, STORAGE_LIMITS));
    return reply(method, answer, 'binary') as ReplyOf<'binaryPaths', P>;
  }
}

function parse(bytes: Uint8Array, parser: (bytes: Uint8Array) => WireObject): WireObject {
  return readable(() => parser(bytes));
}

/** The answer by its table; rejects it unless its status, if it has one, is OK. */
function reply(method: RpcMethod, wire: WireValue, format: Format): unknown {
  const answer = readable(() => readAnswer(method.response, wire, format));
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
