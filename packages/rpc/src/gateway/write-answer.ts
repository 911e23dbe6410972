import type { Yielder } from '@monero-node/base';
import { ByteSink, writeStorage, type Writing } from '@monero-node/codec/portable-storage';
import { echoJson, quoteText, type WireValue, writeJson } from '@monero-node/rpc-schema';
import type { Answer } from '../method.ts';

/** A finished body. */
export interface Body {
  /** A text stands for one byte per character. */
  readonly chunks: readonly (Uint8Array | string)[];
  readonly length: number;
}

/** Writes an answer as a JSON document. Rejects with the error of a lazy list in it. */
export async function jsonBody(answer: Answer, yielder: Yielder): Promise<Body> {
  const sink = new ByteSink();
  await run(writeJson(sink, answer.kind, answer.value, 0), yielder);
  return bodyOf(sink);
}

/**
 * Writes an answer as a portable storage document. Throws TypeError for a kind other than an object; rejects with the
 * error of a lazy list in it.
 */
export async function binaryBody(answer: Answer, yielder: Yielder): Promise<Body> {
  if (answer.kind.kind !== 'object') throw new TypeError('only objects have a binary form');
  const sink = new ByteSink();
  await run(writeStorage(sink, answer.kind.table, answer.value), yielder);
  return bodyOf(sink);
}

/** Writes a JSON-RPC success. */
export async function resultBody(id: WireValue, answer: Answer, yielder: Yielder): Promise<Body> {
  const sink = new ByteSink();
  sink.latin1(`{\r\n  "id": ${echoJson(id, 1)},\r\n  "jsonrpc": "2.0",\r\n  "result": `);
  await run(writeJson(sink, answer.kind, answer.value, 1), yielder);
  sink.latin1('\r\n}');
  return bodyOf(sink);
}

/** Writes a JSON-RPC failure. */
export function errorBody(id: WireValue, code: number, message: string): Body {
  const sink = new ByteSink();
  sink.latin1(
    `{\r\n  "error": {\r\n    "code": ${code},\r\n    "message": ${quoteText(message)}\r\n  },\r\n` +
      `  "id": ${echoJson(id, 1)},\r\n  "jsonrpc": "2.0"\r\n}`,
  );
  return bodyOf(sink);
}

function bodyOf(sink: ByteSink): Body {
  const { length, shortText } = sink;
  return { chunks: shortText === undefined ? sink.chunks() : [shortText], length };
}

/** Returns the bytes of a body in one piece. */
export function bodyBytes({ chunks }: Body): Buffer {
  return Buffer.concat(
    chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk)),
  );
}

/** Carries a writing on to its end, resting when its turn is over and fetching what it waits for. */
async function run(writing: Writing, yielder: Yielder): Promise<void> {
  let fetched: unknown;
  for (;;) {
    const step = writing.next(fetched);
    if (step.done === true) return;
    fetched = step.value === undefined ? undefined : await step.value;
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
  }
}
