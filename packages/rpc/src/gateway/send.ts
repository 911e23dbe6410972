import type { ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';

/** Bytes handed to the socket at a time. */
const BYTES_PER_WRITE = 1 << 20;

/**
 * Sends a reply with the headers and in the order that monerod has. Resolves when it is sent or the connection is
 * gone; rejects for headers that can't be sent.
 */
export async function sendReply(
  response: ServerResponse,
  reply: Reply,
  extraHeaders: readonly string[],
): Promise<void> {
  const { status, phrase, contentType, body, close } = reply;
  const headers = ['Server', 'Epee-based', 'Content-Length', String(body.length)];
  if (contentType !== undefined) headers.push('Content-Type', contentType);
  headers.push('Last-Modified', new Date().toUTCString(), 'Accept-Ranges', 'bytes');
  if (response.destroyed) return;
  response.sendDate = false;
  // The end of the connection is announced only when the client asked for it, as in monerod.
  if (!response.shouldKeepAlive) headers.push('Connection', 'close');
  response.removeHeader('Connection');
  if (close) response.shouldKeepAlive = false;
  response.writeHead(status, phrase, [...headers, ...extraHeaders, ...(reply.headers ?? [])]);
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.on('error', () => resolve());
    writeChunks(response, body.chunks);
  });
}

/** Writes as fast as the client reads, a few chunks at a time. */
function writeChunks(response: ServerResponse, chunks: readonly (Uint8Array | string)[]): void {
  const [first] = chunks;
  if (typeof first === 'string' && chunks.length === 1) {
    response.end(first, 'latin1');
    return;
  }
  let next = 0;
  const writeSome = (): void => {
    if (response.destroyed) return;
    let ready = true;
    response.cork();
    for (let written = 0; next < chunks.length && written < BYTES_PER_WRITE; next++) {
      const chunk = chunks[next] as Uint8Array | string;
      ready = response.write(chunk, 'latin1');
      written += chunk.length;
    }
    if (next >= chunks.length) response.end();
    else if (ready) setImmediate(writeSome);
    else response.once('drain', writeSome);
    response.uncork();
  };
  writeSome();
}
