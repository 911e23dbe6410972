import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { DigestClient, type Login } from '@monero-node/rpc/interface';
import { RpcConnectionError, RpcHttpError, RpcLoginError } from './errors.ts';

/** Where the server is and how to talk to it. */
export interface TransportOptions {
  /** `http://host:port` or `https://host:port`. */
  readonly url: string;
  /** For servers started with `--rpc-login`. */
  readonly login?: Login;
  /**
   * For https: authorities to trust, a certificate of our own, how to know the server. Daemons have self-signed certificates:
   * either trust that very one (`ca`, and a `checkServerIdentity` that takes any name), or any (`rejectUnauthorized: false`).
   */
  readonly tls?: Pick<
    ConnectionOptions,
    'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'checkServerIdentity'
  >;
  /** Milliseconds in which an answer must be complete; 180,000 when absent. */
  readonly timeout?: number;
  /** Largest answer, bytes; 256 MiB when absent. */
  readonly maxAnswer?: number;
}

const TIMEOUT_MS = 180_000;
const MAX_ANSWER = 256 * 1024 * 1024;

interface HttpAnswer {
  readonly status: number;
  readonly challenges: readonly string[];
  readonly body: Buffer;
}

/**
 * Posts bodies over one connection that is kept open, one after another: a login is bound to its connection and counts the
 * requests on it.
 */
export class Transport {
  readonly #url: URL;
  readonly #options: TransportOptions;
  readonly #agent: PlainAgent;
  readonly #login: DigestClient | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Throws TypeError for an address that is none. */
  constructor(options: TransportOptions) {
    this.#url = new URL(options.url);
    if (!['http:', 'https:'].includes(this.#url.protocol)) {
      throw new TypeError(`${options.url} is neither http nor https`);
    }
    this.#options = options;
    const pool = { keepAlive: true, maxSockets: 1 };
    this.#agent =
      this.#url.protocol === 'https:'
        ? new SecureAgent({ ...pool, ...options.tls })
        : new PlainAgent(pool);
    this.#login = options.login === undefined ? undefined : new DigestClient(options.login);
  }

  /** Closes the connection; calls under way fail. */
  close(): void {
    this.#agent.destroy();
  }

  /** Sends a body and gives that of the answer. Rejects with RpcConnectionError, RpcLoginError or RpcHttpError. */
  post(path: string, contentType: string, body: Buffer): Promise<Buffer> {
    const answer = this.#last.then(() => this.#postNow(path, contentType, body));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #postNow(path: string, contentType: string, body: Buffer): Promise<Buffer> {
    let answer = await this.#send(path, contentType, body);
    if (answer.status === 401 && this.#login !== undefined) {
      // A connection that was reopened has a nonce of its own.
      this.#login.forget();
      if (this.#login.challenged(answer.challenges)) {
        answer = await this.#send(path, contentType, body);
      }
    }
    if (answer.status === 401) throw new RpcLoginError();
    if (answer.status !== 200) throw new RpcHttpError(path, answer.status);
    return answer.body;
  }

  #send(path: string, contentType: string, body: Buffer): Promise<HttpAnswer> {
    const authorization = this.#login?.authorization('POST', path);
    const send = this.#url.protocol === 'https:' ? secureRequest : plainRequest;
    const signal = AbortSignal.timeout(this.#options.timeout ?? TIMEOUT_MS);
    return new Promise((resolve, reject) => {
      const failed = (error: Error): void => {
        const reason = signal.aborted ? 'no answer in time' : error.message;
        reject(new RpcConnectionError(`${this.#url.host}${path}: ${reason}`, { cause: error }));
      };
      const call = send(
        {
          host: this.#url.hostname.replace(/^\[(.*)\]$/, '$1'),
          port: this.#url.port,
          path,
          method: 'POST',
          agent: this.#agent,
          signal,
          headers: {
            'Content-Type': contentType,
            'Content-Length': body.length,
            ...(authorization === undefined ? {} : { Authorization: authorization }),
          },
        },
        (response) => {
          this.#receive(response).then(resolve, failed);
        },
      );
      call.on('error', failed);
      call.end(body);
    });
  }

  async #receive(response: IncomingMessage): Promise<HttpAnswer> {
    const limit = this.#options.maxAnswer ?? MAX_ANSWER;
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit) throw new Error(`answer of more than ${limit} bytes`);
      chunks.push(chunk);
    }
    return {
      status: response.statusCode ?? 0,
      challenges: response.headersDistinct['www-authenticate'] ?? [],
      body: Buffer.concat(chunks),
    };
  }
}
