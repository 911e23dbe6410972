import type { Yielder } from '@monero-node/base';
import { ByteSink, writeStorage, type Writing } from '@monero-node/codec/portable-storage';
import { quoteText, writeJson } from '@monero-node/rpc-schema';
import { runWriting } from '../../encoding/run-writing.ts';
import type { MethodAnswer } from '../../method.ts';

/** An answer up to this length, bytes, is made before it is sent, and so has a Content-Length. */
const WHOLE_BYTES = 1 << 20;
/** Bytes of a longer answer that are made at a time, when the client has taken those before. */
const BYTES_PER_PART = 1 << 18;

/** A body, or one that is made while it is sent. */
export interface Body {
  /** A text stands for one byte per character. There are none when the body is made while it is sent. */
  readonly chunks: readonly (Uint8Array | string)[];
  /** Bytes of the chunks. */
  readonly length: number;
  /** Makes the chunks part by part, and forgets them; undefined for a body that is whole. */
  readonly rest?: AsyncGenerator<readonly Uint8Array[], void> | undefined;
}

/** Writes an answer as a JSON document. Rejects with the error of a lazy list in it. */
export function jsonBody({ kind, value }: MethodAnswer, yielder: Yielder): Body | Promise<Body> {
  const sink = new ByteSink();
  return begin(sink, writeJson(sink, kind, value, 0), yielder);
}

/**
 * Writes an answer as a portable storage document. Throws TypeError for a kind other than an object; rejects with the
 * error of a lazy list in it.
 */
export function binaryBody({ kind, value }: MethodAnswer, yielder: Yielder): Body | Promise<Body> {
  if (kind.kind !== 'object') throw new TypeError('only objects have a binary form');
  const sink = new ByteSink();
  return begin(sink, writeStorage(sink, kind.table, value), yielder);
}

/** Writes a JSON-RPC success; `id` is text as it is echoed. */
export function resultBody(
  id: string,
  answer: MethodAnswer,
  yielder: Yielder,
): Body | Promise<Body> {
  const sink = new ByteSink();
  return begin(sink, writeResult(sink, id, answer), yielder);
}

function* writeResult(sink: ByteSink, id: string, { kind, value }: MethodAnswer): Writing {
  sink.latin1(`{\r\n  "id": ${id},\r\n  "jsonrpc": "2.0",\r\n  "result": `);
  yield* writeJson(sink, kind, value, 1);
  sink.latin1('\r\n}');
}

/** Longest message of a failure, characters. Some quote the request, which may be 1 MiB. */
const MAX_MESSAGE_LENGTH = 4096;

/** Writes a JSON-RPC failure; `id` is text as it is echoed. */
export function errorBody(id: string, code: number, message: string): Body {
  const sink = new ByteSink();
  sink.latin1(
    `{\r\n  "error": {\r\n    "code": ${code},\r\n    "message": ${quoteText(message.slice(0, MAX_MESSAGE_LENGTH))}\r\n  },\r\n` +
      `  "id": ${id},\r\n  "jsonrpc": "2.0"\r\n}`,
  );
  return bodyOf(sink);
}

/** Makes the whole body, or the beginning of a long one; at once if nothing has to be waited for. */
function begin(sink: ByteSink, writing: Writing, yielder: Yielder): Body | Promise<Body> {
  const made = (isWhole: boolean): Body =>
    isWhole ? bodyOf(sink) : { chunks: [], length: 0, rest: goOn(sink, writing, yielder) };
  const running = runWriting(writing, yielder, () => sink.length >= WHOLE_BYTES);
  return running instanceof Promise ? running.then(made) : made(running);
}

async function* goOn(
  sink: ByteSink,
  writing: Writing,
  yielder: Yielder,
): AsyncGenerator<readonly Uint8Array[], void> {
  yield sink.drain();
  for (let isDone = false; !isDone;) {
    const enough = sink.length + BYTES_PER_PART;
    isDone = await runWriting(writing, yielder, () => sink.length >= enough);
    yield sink.drain();
  }
}

function bodyOf(sink: ByteSink): Body {
  const { length, shortText } = sink;
  return { chunks: shortText === undefined ? sink.chunks() : [shortText], length };
}

/** Returns chunks of a body as one text, with a character for each byte. */
export function asText(chunks: Body['chunks']): string {
  let text = '';
  for (const chunk of chunks) text += typeof chunk === 'string' ? chunk : latin1(chunk);
  return text;
}

function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** Returns the bytes of a body in one piece. Rejects when the rest of a long one cannot be made. */
export async function bodyBytes({ chunks, rest }: Body): Promise<Buffer> {
  const all = [...chunks];
  for await (const part of rest ?? []) all.push(...part);
  return Buffer.concat(
    all.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk)),
  );
}
