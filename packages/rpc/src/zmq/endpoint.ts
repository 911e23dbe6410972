import { FairScheduler } from '@monero-node/base';
import { DecodeError, parseJson64, stringifyJson64, type JsonValue } from '@monero-node/codec';
import { ZmqFailure, type ZmqContext, type ZmqMethod, type ZmqResult } from './method.ts';
import { ZMQ_METHODS } from './methods/index.ts';
import { isObject, member, ZmqInputError } from './read-json.ts';
import { RenderedList } from './rendered-list.ts';
import { ZMQ_RPC_VERSION } from './version.ts';

/** Longest request, bytes. Source: src/net/zmq.h. */
export const MAX_ZMQ_REQUEST = 10 * 1024 * 1024;

type ErrorKind = 'Failed' | 'Malformed json' | 'Invalid request type' | 'Request too large';

/** Answers requests of the ZeroMQ RPC. Source: src/rpc/message.cpp and daemon_handler.cpp. */
export class ZmqEndpoint {
  readonly #context: Omit<ZmqContext, 'yielder'>;
  readonly #scheduler = new FairScheduler();
  readonly #methods: ReadonlyMap<string, ZmqMethod>;

  constructor(context: Omit<ZmqContext, 'yielder'>) {
    this.#context = context;
    this.#methods = new Map(ZMQ_METHODS.map((method) => [method.name, method]));
  }

  /** Returns the answer to a message, whose frames are joined to one text. Never rejects. */
  async answer(frames: readonly Uint8Array[]): Promise<Buffer> {
    const size = frames.reduce((sum, frame) => sum + frame.length, 0);
    if (size > MAX_ZMQ_REQUEST) {
      return failure(null, 'Request too large', 'Request exceeds maximum message size.');
    }
    try {
      return await this.#answerText(Buffer.concat(frames));
    } catch (error) {
      if (error instanceof ZmqInputError) return failure(null, 'Malformed json', error.message);
      const { logger } = this.#context;
      logger.error(
        `ZeroMQ request failed: ${error instanceof Error ? error.stack : String(error)}`,
      );
      return failure(null, 'Failed', 'internal error');
    }
  }

  async #answerText(text: Uint8Array): Promise<Buffer> {
    const request = parse(text);
    member(request, 'jsonrpc');
    const name = member(request, 'method');
    if (typeof name !== 'string') {
      throw new ZmqInputError('Json value has incorrect type, expected: Expected string');
    }
    const params = member(request, 'params');
    const id = member(request, 'id');
    const method = this.#methods.get(name);
    if (method === undefined) {
      return failure(id, 'Invalid request type', `"${name}" is not a valid request.`);
    }
    if (this.#context.restricted && method.restricted === 'hidden') {
      return failure(id, 'Failed', `"${name}" is not available in restricted mode.`);
    }
    try {
      const context = { ...this.#context, yielder: this.#scheduler.begin() };
      return success(id, await method.call(params, context));
    } catch (error) {
      if (error instanceof ZmqFailure) return failure(id, 'Failed', error.message);
      throw error;
    }
  }
}

function parse(text: Uint8Array): { [key: string]: JsonValue } {
  const value = tryParse(text);
  if (value === undefined || !isObject(value)) {
    throw new ZmqInputError('Failed to parse the json request');
  }
  return value;
}

function tryParse(text: Uint8Array): JsonValue | undefined {
  try {
    return parseJson64(text);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

function failure(id: JsonValue, kind: ErrorKind, message: string): Buffer {
  const error = { code: 1, error_str: kind, message };
  return Buffer.from(stringifyJson64({ jsonrpc: '2.0', id, error }));
}

function success(id: JsonValue, result: ZmqResult): Buffer {
  const head = `{"jsonrpc":"2.0","id":${stringifyJson64(id)},"result":{"rpc_version":${ZMQ_RPC_VERSION}`;
  const parts: Uint8Array[] = [Buffer.from(head)];
  for (const [name, value] of Object.entries(result)) {
    parts.push(Buffer.from(`,"${name}":`));
    if (value instanceof RenderedList) parts.push(...joined(value));
    else parts.push(Buffer.from(stringifyJson64(value)));
  }
  parts.push(Buffer.from('}}'));
  return Buffer.concat(parts);
}

function joined({ items }: RenderedList): Uint8Array[] {
  const comma = Buffer.from(',');
  const parts = items.flatMap((item, i) => (i === 0 ? [item] : [comma, item]));
  return [Buffer.from('['), ...parts, Buffer.from(']')];
}
