import { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { HttpPoster, type HttpPosted, type Login } from '@monero-node/rpc/interface';
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

/** Posts to one server, and tells failures apart. */
export class Transport {
  readonly #host: string;
  readonly #poster: HttpPoster;

  /** Throws TypeError for an address that is none. */
  constructor({ url: address, login, tls, timeout, maxAnswer }: TransportOptions) {
    const url = new URL(address);
    if (!['http:', 'https:'].includes(url.protocol)) {
      throw new TypeError(`${address} is neither http nor https`);
    }
    this.#host = url.host;
    const secure = url.protocol === 'https:';
    const pool = { keepAlive: true, maxSockets: 1 };
    this.#poster = new HttpPoster({
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(url.port || (secure ? 443 : 80)),
      agent: secure ? new SecureAgent({ ...pool, ...tls }) : new PlainAgent(pool),
      secure,
      login,
      timeout,
      maxAnswer,
    });
  }

  /** Closes the connection; calls under way fail. */
  close(): void {
    this.#poster.close();
  }

  /** Sends a body and gives that of the answer. Rejects with RpcConnectionError, RpcLoginError or RpcHttpError. */
  async post(path: string, contentType: string, body: Buffer): Promise<Buffer> {
    const answer = await this.#post(path, contentType, body);
    if (answer.status === 401) throw new RpcLoginError();
    if (answer.status !== 200) throw new RpcHttpError(path, answer.status);
    return answer.body;
  }

  async #post(path: string, contentType: string, body: Buffer): Promise<HttpPosted> {
    try {
      return await this.#poster.post(path, contentType, body);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new RpcConnectionError(`${this.#host}${path}: ${reason}`, { cause: error });
    }
  }
}
