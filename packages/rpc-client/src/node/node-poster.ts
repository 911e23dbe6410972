import { Agent, request, type ClientRequestArgs, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { DigestLogin } from '../digest-login.ts';
import { Failure } from '../failure.ts';
import {
  concurrencyOf,
  DEFAULT_MAX_ANSWER,
  type HttpAnswer,
  type HttpOptions,
  type Poster,
} from '../transport.ts';
import { httpAnswer } from '@monero-node/base/http-answer';
import { openSocket, type ServerEndpoint } from './connect.ts';

/** Options of a request. Node keeps its `signal` from agents, so that it is there under another name too. */
interface EndingRequest extends ClientRequestArgs {
  readonly ends?: AbortSignal;
}

/**
 * Keeps a few connections, which it opens itself. A request that is ended meanwhile opens none. How many there are is bounded by the
 * turns of the calls and not here: a request that Node made wait would be given a connection with the options of another.
 */
class OwnConnections extends Agent {
  readonly #open: (signal: AbortSignal | undefined) => Promise<Duplex>;

  constructor(most: number, open: (signal: AbortSignal | undefined) => Promise<Duplex>) {
    super({ keepAlive: true, maxFreeSockets: most });
    this.#open = open;
  }

  override createConnection(
    { ends }: EndingRequest,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): null {
    // Node reports the end of a request only after this: a socket that is still being opened would hold it up.
    this.#open(ends).then(
      (socket) => callback?.(null, socket),
      (error: unknown) => callback?.(error as Error, undefined as never),
    );
    return null;
  }
}

interface Challenged extends HttpAnswer {
  readonly challenges: readonly string[];
}

/**
 * Posts bodies over connections that are kept open: one with a login, which is bound to its connection and counts the requests on it,
 * otherwise as many as there are calls at a time.
 */
export class NodePoster implements Poster {
  readonly #endpoint: ServerEndpoint;
  readonly #options: HttpOptions;
  readonly #agent: Agent;
  readonly #login: DigestLogin | undefined;

  constructor(endpoint: ServerEndpoint, options: HttpOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#agent = new OwnConnections(concurrencyOf(options), (signal) =>
      openSocket(endpoint, signal),
    );
    this.#login = options.login === undefined ? undefined : new DigestLogin(options.login);
  }

  close(): void {
    this.#agent.destroy();
  }

  async post(
    path: string,
    contentType: string,
    body: Uint8Array,
    ends: AbortSignal,
  ): Promise<HttpAnswer> {
    const first = await this.#send(path, contentType, body, ends);
    if (first.status !== 401 || this.#login === undefined) return first;
    // A connection that was reopened has a nonce of its own.
    this.#login.forget();
    if (!this.#login.challenged(first.challenges)) return first;
    return this.#send(path, contentType, body, ends);
  }

  async #send(
    path: string,
    contentType: string,
    body: Uint8Array,
    signal: AbortSignal,
  ): Promise<Challenged> {
    const { host, port } = this.#endpoint;
    const authorization = this.#login?.authorization('POST', path);
    const options: EndingRequest = {
      host,
      port,
      path,
      method: 'POST',
      agent: this.#agent,
      signal,
      ends: signal,
      headers: {
        'Content-Type': contentType,
        'Content-Length': body.length,
        ...(authorization === undefined ? {} : { Authorization: authorization }),
      },
    };
    // eslint-disable-next-line monero/guarded-emitters -- httpAnswer guards it, and its response is read to the end
    const call = request(options);
    // Then its connection is free for the next call.
    const over = new Promise<void>((done) => call.on('close', done));
    const response = httpAnswer<IncomingMessage>(
      call,
      (why, reason) => new Failure(reason === 'closed' ? 'closed' : 'failed', why),
    );
    call.end(body);
    const answer = await this.#receive(await response);
    if (!call.writableFinished) call.destroy();
    await over;
    return answer;
  }

  async #receive(response: IncomingMessage): Promise<Challenged> {
    const { maxAnswer = DEFAULT_MAX_ANSWER } = this.#options;
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxAnswer)
        throw new Failure('too-large', `answer of more than ${maxAnswer} bytes`);
      chunks.push(chunk);
    }
    return {
      status: response.statusCode ?? 0,
      challenges: response.headersDistinct['www-authenticate'] ?? [],
      body: Buffer.concat(chunks),
    };
  }
}
