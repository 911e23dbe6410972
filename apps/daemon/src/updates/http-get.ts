import { request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { httpAnswer } from '@monero-node/base/http-answer';
import { unbracketed } from '@monero-node/p2p/hosts';
import { openSocket, type Dial } from '@monero-node/rpc-client/node';
import { RedirectError, StatusError, UpdateError } from './update-error.ts';

/** Limits of one download. */
export interface GetLimits {
  /** Bytes of the body. */
  readonly maxBytes: number;
  /** Milliseconds until the last byte. */
  readonly totalMs: number;
  /** Milliseconds without a byte. */
  readonly idleMs: number;
}

/** How the servers of updates are reached. */
export interface GetOptions {
  /** Opens connections, through a proxy for example; directly by default. */
  readonly dial?: Dial | undefined;
  /** Ends the download. */
  readonly signal: AbortSignal;
  /** Further fields of the request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Takes the head of the answer, whatever its status; throws to refuse it. Without it only status 200 is taken. */
  readonly onHead?: ((head: AnswerHead) => void) | undefined;
}

/** Status and fields of an answer. */
export type AnswerHead = Pick<IncomingMessage, 'statusCode' | 'headers'>;

const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Opens a connection to the server of a URL of http or https. Throws Error when it cannot be reached, and the reason of the signal when that
 * aborts; no socket is left then.
 */
export function openFor(url: URL, dial: Dial | undefined, signal: AbortSignal): Promise<Socket> {
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  const host = unbracketed(url.hostname);
  return openSocket({ host, port, isSecure, tls: undefined, dial }, signal);
}

/** Sends the request on a socket of its own, which ends with it. */
function send(
  url: URL,
  socket: Socket,
  { signal, headers }: Pick<GetOptions, 'signal' | 'headers'>,
): Promise<IncomingMessage> {
  // eslint-disable-next-line monero/guarded-emitters -- httpAnswer guards it
  const call = request({
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      Host: url.host,
      'User-Agent': 'monero-node',
      'Accept-Encoding': 'identity',
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    createConnection: () => socket,
    signal,
  });
  const answer = httpAnswer<IncomingMessage>(call, (why) => new UpdateError(why));
  call.end();
  return answer;
}

/** Throws unless the status is 200. */
function requireOk({ statusCode = 0, headers }: AnswerHead): void {
  // A redirect could lead anywhere.
  if (statusCode >= 300 && statusCode < 400) throw new RedirectError(headers.location ?? '');
  if (statusCode !== 200) throw new StatusError(statusCode);
}

function checkBody({ headers }: AnswerHead, maxBytes: number): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new UpdateError('it sent an encoding that was not asked for');
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLong(maxBytes);
}

function tooLong(maxBytes: number): UpdateError {
  return new UpdateError(`its answer is longer than ${maxBytes} bytes`);
}

/** Returns the message of an error in one line. A server can put text into it, for example by its certificate. */
export function printable(error: unknown): string {
  return (error as Error).message.replace(/[^ -~]+/g, ' ').slice(0, 200);
}

/**
 * Yields the bytes of the body that a server answers to GET, as it arrives. No redirect is followed.
 *
 * Throws UpdateError, which names the server, when it cannot be reached or exceeds the limits, RedirectError when it redirects, and
 * StatusError when it does not answer with status 200. What `options.onHead` throws is the cause of an UpdateError. Throws the reason of `options.signal` when that aborts.
 */
export async function* httpGet(
  url: URL,
  { maxBytes, totalMs, idleMs }: GetLimits,
  options: GetOptions,
): AsyncGenerator<Buffer, void> {
  const deadline = AbortSignal.timeout(totalMs);
  const signal = AbortSignal.any([deadline, options.signal]);
  let socket: Socket | undefined;
  let isIdle = false;
  try {
    socket = await openFor(url, options.dial, signal);
    socket.setTimeout(idleMs, () => {
      isIdle = true;
      socket?.destroy();
    });
    const response = await send(url, socket, { signal, headers: options.headers });
    (options.onHead ?? requireOk)(response);
    checkBody(response, maxBytes);
    let length = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw tooLong(maxBytes);
      yield chunk;
    }
  } catch (error) {
    options.signal.throwIfAborted();
    const late = deadline.aborted
      ? `it took longer than ${totalMs / 1000} s`
      : isIdle && `it sent nothing for ${idleMs / 1000} s`;
    const message = `${url.origin}: ${late || printable(error)}`;
    if (error instanceof StatusError)
      throw new StatusError(error.status, message, { cause: error });
    if (error instanceof RedirectError)
      throw new RedirectError(error.location, message, { cause: error });
    throw new UpdateError(message, { cause: error });
  } finally {
    socket?.destroy();
  }
}
