import { request as plainRequest, type Agent, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Login } from '../login/digest.ts';
import { DigestClient } from './digest-client.ts';

const TIMEOUT_MS = 180_000;
const MAX_ANSWER = 256 * 1024 * 1024;

/** Where to post, and how. */
export interface HttpPosterOptions {
  readonly host: string;
  readonly port: number;
  /** Opens the connection and keeps it; must not open a second one. */
  readonly agent: Agent;
  /** The agent's connections are those of https. */
  readonly secure?: boolean;
  readonly login?: Login | undefined;
  /** Milliseconds in which an answer must be complete; 180,000 when absent. */
  readonly timeout?: number | undefined;
  /** Largest answer, bytes; 256 MiB when absent. */
  readonly maxAnswer?: number | undefined;
}

/** An answer, whatever its status. */
export interface HttpPosted {
  readonly status: number;
  readonly body: Buffer;
}

interface Answer extends HttpPosted {
  readonly challenges: readonly string[];
}

/**
 * Posts bodies over one connection that is kept open, one after another: a login is bound to its connection and counts the
 * requests on it.
 */
export class HttpPoster {
  readonly #options: HttpPosterOptions;
  readonly #login: DigestClient | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: HttpPosterOptions) {
    this.#options = options;
    this.#login = options.login === undefined ? undefined : new DigestClient(options.login);
  }

  /** Closes the connection; calls under way fail. */
  close(): void {
    this.#options.agent.destroy();
  }

  /** Posts a body, with the login when the server asks for one. Rejects with an Error when no answer came or it was too long. */
  post(path: string, contentType: string, body: Uint8Array): Promise<HttpPosted> {
    const answer = this.#last.then(() => this.#postNow(path, contentType, body));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #postNow(path: string, contentType: string, body: Uint8Array): Promise<HttpPosted> {
    const first = await this.#send(path, contentType, body);
    if (first.status !== 401 || this.#login === undefined) return first;
    // A connection that was reopened has a nonce of its own.
    this.#login.forget();
    return this.#login.challenged(first.challenges) ? this.#send(path, contentType, body) : first;
  }

  #send(path: string, contentType: string, body: Uint8Array): Promise<Answer> {
    const { host, port, agent, secure, timeout = TIMEOUT_MS } = this.#options;
    const authorization = this.#login?.authorization('POST', path);
    const signal = AbortSignal.timeout(timeout);
    return new Promise((resolve, reject) => {
      const failed = (error: Error): void =>
        reject(signal.aborted ? new Error('no answer in time', { cause: error }) : error);
      const call = (secure === true ? secureRequest : plainRequest)(
        {
          ...{ host, port, path, method: 'POST', agent, signal },
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

  async #receive(response: IncomingMessage): Promise<Answer> {
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
