import type { ServerResponse } from 'node:http';
import { setImmediate as eventLoopRound } from 'node:timers/promises';
import type { Reply } from './reply.ts';
import { asText, type Body } from './write-answer.ts';

/** Bytes handed to the socket at a time. */
const BYTES_PER_WRITE = 1 << 20;
/** A longer body is written in step with the client, not in one piece. */
const MAX_BYTES_AS_TEXT = 1 << 16;

/** Takes the number of bytes that are made and not taken. */
type NoteUnsent = (bytes: number) => void;

/** Sends replies with the headers and in the order that monerod has. */
export class ReplySender {
  #second = NaN;
  #dateText = '';

  /**
   * Sends a reply with the headers and in the order that monerod has, but a long one in HTTP chunks instead of with a
   * length. Calls `noteUnsent` with the bytes that are made and not taken by the client, as they change. Resolves when it
   * is sent or the connection is gone; rejects for headers that can't be sent, and when the rest of a long answer can't be
   * made.
   */
  async send(
    response: ServerResponse,
    reply: Reply,
    extraHeaders: readonly string[],
    noteUnsent: NoteUnsent = () => undefined,
  ): Promise<void> {
    if (response.destroyed) return;
    const { body } = reply;
    response.on('error', () => undefined);
    this.#writeHead(response, reply, extraHeaders);
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    if (response.req.method === 'HEAD') {
      await body.rest?.return();
      response.end();
    } else {
      await write(response, body, noteUnsent);
    }
    await closed;
  }

  /**
   * Sends a reply with a short body, which is the case of nearly every call: headers and body in one piece, before this function
   * returns. Returns false, without having done anything, for every other reply. The response must not be destroyed and needs
   * an error listener; it emits 'close' when the reply is sent or the connection is gone. Throws for headers that can't be sent.
   */
  sendShort(response: ServerResponse, reply: Reply, extraHeaders: readonly string[]): boolean {
    if (response.req.method === 'HEAD') return false;
    const text = textOf(reply.body);
    if (text === undefined) return false;
    this.#writeHead(response, reply, extraHeaders);
    // `end` with the text would hand the socket an empty piece after it, and two pieces take a slower way. A response
    // corks a socket that is not corked until the next round of the event loop.
    const { socket } = response;
    socket?.cork();
    response.write(text, 'latin1');
    socket?.uncork();
    response.end();
    return true;
  }

  #writeHead(
    response: ServerResponse,
    { status, phrase, contentType, body, close, headers: more }: Reply,
    extraHeaders: readonly string[],
  ): void {
    const headers = ['Server', 'Epee-based'];
    if (body.rest === undefined) headers.push('Content-Length', String(body.length));
    else if (response.req.httpVersion !== '1.0') headers.push('Transfer-Encoding', 'chunked');
    else response.shouldKeepAlive = false;
    if (contentType !== undefined) headers.push('Content-Type', contentType);
    headers.push('Last-Modified', this.#date(), 'Accept-Ranges', 'bytes');
    response.sendDate = false;
    // The end of the connection is announced only when the client asked for it, as in monerod.
    if (!response.shouldKeepAlive) headers.push('Connection', 'close');
    response.removeHeader('Connection');
    if (close) response.shouldKeepAlive = false;
    if (extraHeaders.length > 0) headers.push(...extraHeaders);
    if (more !== undefined) headers.push(...more);
    response.writeHead(status, phrase, headers);
  }

  /** Returns the current date as HTTP headers have it, such as `Sun, 06 Nov 1994 08:49:37 GMT`. It is made once a second. */
  #date(): string {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#dateText = new Date(second * 1000).toUTCString();
    }
    return this.#dateText;
  }
}

/**
 * Returns a whole body of few bytes as text with a character per byte: Node joins text with the headers, but
 * hands bytes to the system beside them, which takes several times as long as to copy a few.
 */
function textOf({ chunks, length, rest }: Body): string | undefined {
  if (rest !== undefined || length === 0 || length > MAX_BYTES_AS_TEXT) return undefined;
  return asText(chunks);
}

/** Writes as fast as the client reads. */
async function write(
  response: ServerResponse,
  { chunks, rest }: Body,
  noteUnsent: NoteUnsent,
): Promise<void> {
  await writeChunks(response, chunks, noteUnsent);
  for await (const part of rest ?? []) {
    if (response.destroyed) return;
    await writeChunks(response, part, noteUnsent);
  }
  response.end();
}

/**
 * Hands a few chunks at a time to the socket. They are collected in the socket, not in the response: a response that
 * sends chunks collects them apart from Node 21.2 on, and then may never emit 'drain' (nodejs/node issue 60432).
 */
async function writeChunks(
  response: ServerResponse,
  chunks: readonly (Uint8Array | string)[],
  noteUnsent: NoteUnsent,
): Promise<void> {
  let left = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  for (let next = 0; next < chunks.length && !response.destroyed;) {
    let ready = true;
    const { socket } = response;
    socket?.cork();
    for (let written = 0; next < chunks.length && written < BYTES_PER_WRITE; next++) {
      const chunk = chunks[next] as Uint8Array | string;
      ready = response.write(chunk, 'latin1');
      written += chunk.length;
      left -= chunk.length;
    }
    socket?.uncork();
    noteUnsent(left + response.writableLength);
    if (!ready) await drained(response);
    else if (next < chunks.length) await eventLoopRound();
    noteUnsent(left + response.writableLength);
  }
}

/** Resolves when the client has taken what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    if (response.destroyed) done();
    response.on('drain', done);
    response.on('close', done);
  });
}
