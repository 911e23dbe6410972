import { request, type IncomingMessage } from 'node:http';
import { guardEmitter } from '@monero-node/base';
import { httpAnswer } from '@monero-node/base/http-answer';
import { GatewayError } from './gateway.ts';

/** Bytes of an answer of a router. */
const MAX_BODY = 256 * 1024;
const MAX_HEADER = 16 * 1024;

export interface GatewayAnswer {
  readonly status: number;
  readonly body: string;
  /** The address of this machine on the connection. */
  readonly localHost: string;
}

/** What is sent with POST. */
export interface GatewayCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Asks a router, with GET unless there is something to send. Rejects with GatewayError when it does not answer or answers too much. */
export async function askGateway(
  url: URL,
  signal: AbortSignal,
  call?: GatewayCall,
): Promise<GatewayAnswer> {
  try {
    const answer = await send(url, signal, call);
    const localHost = answer.socket.localAddress ?? '';
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of guardEmitter(answer) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BODY) throw new GatewayError(`it sent more than ${MAX_BODY} bytes`);
      chunks.push(chunk);
    }
    return { status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString(), localHost };
  } catch (error) {
    if (error instanceof GatewayError || signal.aborted) throw error;
    throw new GatewayError(`${url.host}: ${(error as Error).message}`);
  }
}

function send(url: URL, signal: AbortSignal, call?: GatewayCall): Promise<IncomingMessage> {
  // eslint-disable-next-line monero/guarded-emitters -- httpAnswer guards it
  const sent = request(url, {
    method: call === undefined ? 'GET' : 'POST',
    headers: { ...call?.headers, Connection: 'close' },
    maxHeaderSize: MAX_HEADER,
    agent: false,
    signal,
  });
  const answer = httpAnswer<IncomingMessage>(sent, (why) => new GatewayError(why));
  sent.end(call?.body);
  return answer;
}
