import { createHmac } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import { httpAnswer } from '@monero-node/base/http-answer';
import type { Socket } from 'node:net';
import { openFor, printable, type GetOptions } from '../updates/http-get.ts';

/** Milliseconds until the server has answered. */
const ANSWER_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Statuses of faults of the client that may be over the next time: too slow, too early, too many. */
const PASSING = new Set([408, 425, 429]);

/** Where alerts are sent. */
export interface WebhookSettings {
  /** Of http or https. All but its origin may be a secret. */
  readonly url: URL;
  /** Signs what is sent; undefined: nothing does. */
  readonly secret: string | undefined;
  /** Whether the server is on this machine: it is reached without a proxy. */
  readonly isLocal: boolean;
}

/** An alert did not arrive; the message is for the operator, and tells of the server no more than its origin. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  /** Whether the same request may succeed later. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isPassing = isPassing;
  }
}

/** What is sent. */
interface Content {
  readonly body: string;
  readonly id: string;
  readonly messageId: string;
}

/**
 * Sends an alert to a webhook, which has it when it answers with a status from 200 to 299. No redirect is followed, and the body of the
 * answer is not read.
 *
 * Throws WebhookError when it does not arrive, and the reason of the signal when that aborts.
 *
 * @param id of the alert, the same from its beginning to its end
 * @param messageId the same for every attempt to send this message and for no other, for receivers that keep each only once
 * @param answerMs milliseconds until the answer, for tests
 */
export async function postAlert(
  { url, secret }: Pick<WebhookSettings, 'url' | 'secret'>,
  { body, id, messageId }: Content,
  { dial, signal: stopping }: GetOptions,
  answerMs = ANSWER_MS,
): Promise<void> {
  const deadline = AbortSignal.timeout(answerMs);
  const signal = AbortSignal.any([deadline, stopping]);
  let socket: Socket | undefined;
  try {
    socket = await openFor(url, dial, signal);
    const headers = headersOf(url, { body, id, messageId, secret });
    const status = (await send(url, { body, headers, socket, signal })).statusCode ?? 0;
    if (status < 200 || status > 299) throw refusal(status);
  } catch (error) {
    stopping.throwIfAborted();
    const why = deadline.aborted ? `no answer within ${answerMs / 1000} s` : printable(error);
    const isPassing = !(error instanceof WebhookError) || error.isPassing;
    throw new WebhookError(`${url.origin}: ${why}`, isPassing, { cause: error });
  } finally {
    socket?.destroy();
  }
}

function refusal(status: number): WebhookError {
  if (status >= 300 && status < 400)
    return new WebhookError(`it redirects elsewhere (status ${status})`, false);
  return new WebhookError(
    `it answered with status ${status}`,
    status < 300 || status >= 500 || PASSING.has(status),
  );
}

function headersOf(
  url: URL,
  { body, id, messageId, secret }: Content & { readonly secret: string | undefined },
): Record<string, string | number> {
  const headers: Record<string, string | number> = {
    Host: url.host,
    'User-Agent': 'monero-node',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Monero-Node-Alert': id,
    'X-Monero-Node-Message': messageId,
  };
  if (secret !== undefined) headers['X-Monero-Node-Signature'] = signatureOf(body, secret);
  if (url.username !== '' || url.password !== '') {
    const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers['Authorization'] = `Basic ${Buffer.from(login).toString('base64')}`;
  }
  return headers;
}

/** Returns the header by which a receiver knows that a body (UTF-8) is of someone who has the secret: HMAC-SHA256, hex. */
function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

interface Sending {
  readonly body: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly socket: Socket;
  readonly signal: AbortSignal;
}

/** Sends the request on a socket of its own. Resolves with the head of the answer. */
function send(
  url: URL,
  { body, headers, socket, signal }: Sending,
): Promise<Pick<IncomingMessage, 'statusCode'>> {
  // eslint-disable-next-line monero/guarded-emitters -- httpAnswer guards it
  const call = request({
    method: 'POST',
    path: `${url.pathname}${url.search}`,
    headers,
    maxHeaderSize: MAX_HEADER_BYTES,
    createConnection: () => socket,
    signal,
  });
  const answer = httpAnswer<IncomingMessage>(call, (why) => new WebhookError(why, true));
  call.end(body);
  return answer;
}
