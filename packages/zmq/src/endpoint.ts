import { FairScheduler, inSlices, type Yielder } from '@monero-node/base';
import { DecodeError, type JsonValue, parseJson64Steps, stringifyJson64 } from '@monero-node/codec';
import { ByteSink, DocumentTooLargeError } from '@monero-node/codec/portable-storage';
import { runWriting } from '@monero-node/rpc/shared';
import { ZMQ_RPC_VERSION, type ZmqContext, ZmqFailure, type ZmqMethod } from './method.ts';
import { ZMQ_METHODS } from './methods/index.ts';
import { isObject, member, ZmqInputError } from './read-json.ts';
import { writeZmqJson, type ZmqValue } from './write-json.ts';

/** Longest request, bytes. Source: src/net/zmq.h. */
const MAX_REQUEST_BYTES = 10 * 1024 * 1024;
/** Most values in a request: more than 10 MiB of hashes are. monerod has no such limit. */
const MAX_REQUEST_VALUES = 524_288;
/** Longest answer, bytes: it is one frame, whose length comes first, so that all of it is made before it is sent. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** An answer, and what it answers. */
export interface ZmqAnswer {
  /** The JSON text. */
  readonly chunks: readonly Uint8Array[];
  /** Name of a method that is served, or `unknown`. */
  readonly method: string;
  /** The method as the client wrote it; undefined when the request has none. */
  readonly called: string | undefined;
  /** Whether the answer says why the call failed. */
  readonly failed: boolean;
}

/** The method that a request names, once that has been read. */
type CallName = { -readonly [Key in 'method' | 'called']: ZmqAnswer[Key] };

type ErrorKind = 'Failed' | 'Malformed json' | 'Invalid request type' | 'Request too large';

/** Answers requests of the ZeroMQ RPC. Source: src/rpc/message.cpp and daemon_handler.cpp. */
export class ZmqEndpoint {
  readonly #context: Omit<ZmqContext, 'yielder'>;
  readonly #scheduler = new FairScheduler();
  readonly #methods: ReadonlyMap<string, ZmqMethod>;
  readonly #maxAnswer: number;

  constructor(context: Omit<ZmqContext, 'yielder'>, maxAnswer = MAX_ANSWER_BYTES) {
    this.#context = context;
    this.#maxAnswer = maxAnswer;
    this.#methods = new Map(ZMQ_METHODS.map((method) => [method.name, method]));
  }

  /** Returns the answer to a message, whose frames are joined to one text. Never rejects. */
  async answer(frames: readonly Uint8Array[]): Promise<ZmqAnswer> {
    const size = frames.reduce((sum, frame) => sum + frame.length, 0);
    if (size > MAX_REQUEST_BYTES) {
      return failure(null, 'Request too large', 'Request exceeds maximum message size.');
    }
    const call: CallName = { method: 'unknown', called: undefined };
    try {
      return await this.#answerText(Buffer.concat(frames), this.#scheduler.begin(), call);
    } catch (error) {
      if (error instanceof ZmqInputError)
        return failure(null, 'Malformed json', error.message, call);
      const { logger } = this.#context.services;
      logger.error(
        `ZeroMQ request failed: ${error instanceof Error ? error.stack : String(error)}`,
      );
      return failure(null, 'Failed', 'internal error', call);
    }
  }

  /** @param call takes the name of the method as soon as it is known */
  async #answerText(text: Uint8Array, yielder: Yielder, call: CallName): Promise<ZmqAnswer> {
    const request = await parse(text, yielder);
    member(request, 'jsonrpc');
    const name = member(request, 'method');
    if (typeof name !== 'string') {
      throw new ZmqInputError('Json value has incorrect type, expected: Expected string');
    }
    call.called = name;
    call.method = this.#methods.has(name) ? name : 'unknown';
    const params = member(request, 'params');
    const id = checkedId(member(request, 'id'));
    const method = this.#methods.get(name);
    if (method === undefined) {
      return failure(
        id,
        'Invalid request type',
        `"${shortened(name)}" is not a valid request.`,
        call,
      );
    }
    if (this.#context.restricted && method.restricted === 'hidden') {
      return failure(id, 'Failed', `"${name}" is not available in restricted mode.`, call);
    }
    try {
      const result = await method.call(params, { ...this.#context, yielder });
      const success = { rpc_version: ZMQ_RPC_VERSION, ...result };
      const chunks = await this.#write({ jsonrpc: '2.0', id, result: success }, yielder);
      return { ...call, chunks, failed: false };
    } catch (error) {
      if (error instanceof ZmqFailure) return failure(id, 'Failed', error.message, call);
      if (error instanceof DocumentTooLargeError) {
        return failure(id, 'Failed', `The answer exceeds ${this.#maxAnswer} bytes.`, call);
      }
      throw error;
    }
  }

  async #write(answer: ZmqValue, yielder: Yielder): Promise<readonly Uint8Array[]> {
    const sink = new ByteSink({ limit: this.#maxAnswer });
    await runWriting(writeZmqJson(sink, answer), yielder);
    return sink.chunks();
  }
}

async function parse(text: Uint8Array, yielder: Yielder): Promise<{ [key: string]: JsonValue }> {
  try {
    const value = await inSlices(parseJson64Steps(text, MAX_REQUEST_VALUES), yielder);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
  throw new ZmqInputError('Failed to parse the json request');
}

/** Longest text of an id, and of a method's name that is quoted, characters. */
const MAX_ECHO_LENGTH = 4096;

/** The standard knows strings and numbers only; anything larger than these would have to be echoed in steps. */
function checkedId(id: JsonValue): JsonValue {
  const isLarge =
    typeof id === 'string' ? id.length > MAX_ECHO_LENGTH : weigh(id) > MAX_ECHO_LENGTH;
  if (isLarge) throw new ZmqInputError('Failed to parse the json request');
  return id;
}

/** Returns at least the number of values and characters in a value; stops counting when there are too many. */
function weigh(value: JsonValue): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const key in value) {
    weight += key.length + weigh((value as { [key: string]: JsonValue })[key] as JsonValue);
    if (weight > MAX_ECHO_LENGTH) break;
  }
  return weight;
}

const shortened = (name: string): string => name.slice(0, MAX_ECHO_LENGTH);

function failure(
  id: JsonValue,
  kind: ErrorKind,
  message: string,
  call: CallName = { method: 'unknown', called: undefined },
): ZmqAnswer {
  const error = { code: 1, error_str: kind, message };
  const chunks = [Buffer.from(stringifyJson64({ jsonrpc: '2.0', id, error }))];
  return { ...call, chunks, failed: true };
}
