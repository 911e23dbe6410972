import type { Logger } from '@monero-node/base';
import { dialThroughSocks, type SocksEndpoint } from '@monero-node/p2p/socks';
import { RpcClient, RpcHttpError, type RpcTransport } from '@monero-node/rpc-client';
import { createNodeTransport } from '@monero-node/rpc-client/node';
import type { Upstream } from './address.ts';

const ANSWER_MS = 60_000;
/** Longest answers, bytes: that of `get_info`, and any other. */
const MAX_INFO = 65_536;
const MAX_ANSWER = 128 << 20;

/** Another daemon that answers in place of this one. */
export class BootstrapDaemon {
  readonly upstream: Upstream;
  readonly #transport: RpcTransport;
  /** For questions of this node itself. */
  readonly #own: RpcTransport;
  readonly #client: RpcClient;
  readonly #logger: Logger;

  /** @param proxy the only way to it, when given. */
  constructor(upstream: Upstream, proxy: SocksEndpoint | undefined, logger: Logger) {
    this.upstream = upstream;
    this.#logger = logger;
    const { host, port, login, tls } = upstream;
    const options = {
      url: `${tls === 'enabled' ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
      login,
      timeout: ANSWER_MS,
      // One connection each: a public node takes few of one address.
      concurrency: 1,
      dial: proxy && dialThroughSocks(proxy),
      // Requests hold no secrets and answers are not trusted, so any certificate will do.
      tls: { autodetect: tls === 'autodetect', rejectUnauthorized: false },
    };
    this.#transport = createNodeTransport({ ...options, maxAnswer: MAX_ANSWER });
    this.#own = createNodeTransport({ ...options, maxAnswer: MAX_INFO });
    this.#client = new RpcClient({ transport: this.#own });
  }

  /** Returns its height; undefined when it is not synchronized or does not answer. */
  async height(): Promise<number | undefined> {
    try {
      const { height, target_height: target } = await this.#client.path('/getinfo');
      if (height === 0n || target > height) {
        this.#logger.warn(`bootstrap daemon ${this.upstream.address} is not in sync`);
        return undefined;
      }
      return Number(height);
    } catch (error) {
      this.#complain(error);
      return undefined;
    }
  }

  /** Returns the bytes of its answer; undefined unless it is a success. */
  async ask(path: string, body: Uint8Array): Promise<Uint8Array | undefined> {
    try {
      return await this.#transport.post(path, 'application/json', body);
    } catch (error) {
      if (!(error instanceof RpcHttpError)) this.#complain(error);
      return undefined;
    }
  }

  close(): void {
    this.#transport.close();
    this.#own.close();
  }

  #complain(error: unknown): void {
    this.#logger.warn(`bootstrap daemon ${this.upstream.address}: ${(error as Error).message}`);
  }
}
