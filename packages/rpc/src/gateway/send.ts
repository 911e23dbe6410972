import type { ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';

/** Sends a reply with the headers and in the order that monerod has. Resolves when it is sent or the connection is gone. */
export function sendReply(
  response: ServerResponse,
  reply: Reply,
  extraHeaders: readonly string[],
): Promise<void> {
  const { status, phrase, contentType, body, close } = reply;
  const headers = ['Server', 'Epee-based', 'Content-Length', String(body.length)];
  if (contentType !== undefined) headers.push('Content-Type', contentType);
  headers.push('Last-Modified', new Date().toUTCString(), 'Accept-Ranges', 'bytes');
  if (close) headers.push('Connection', 'close');
  response.sendDate = false;
  return new Promise((resolve) => {
    response.once('close', resolve);
    response.once('error', () => resolve());
    response.writeHead(status, phrase, [...headers, ...extraHeaders]);
    for (const chunk of body.chunks) response.write(chunk);
    response.end();
  });
}
