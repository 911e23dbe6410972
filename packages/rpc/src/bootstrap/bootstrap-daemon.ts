import type { Logger } from '@monero-node/base';
import { connectThroughSocks, type SocksEndpoint } from '@monero-node/p2p/socks';
import type { Dial } from '../client/connect.ts';
import { RpcClient } from '../client/rpc-client.ts';
import type { Upstream } from './address.ts';

const ANSWER_MS = 60_000;
const CONNECT_MS = 15_000;

/** Host names are left to the proxy: to look them up here would tell where the connection goes. */
function dialThrough(proxy: SocksEndpoint): Dial {
  return async (target) => {
    const socket = await connectThroughSocks(proxy, target, { timeoutMs: CONNECT_MS });
    // A daemon does not speak first: there is nothing to be lost.
    return socket.resume();
  };
}

/** Another daemon that answers in our place. */
export class BootstrapDaemon {
  readonly upstream: Upstream;
  readonly #client: RpcClient;
  readonly #logger: Logger;

  /** @param proxy the only way to it, when given. */
  constructor(upstream: Upstream, proxy: SocksEndpoint | undefined, logger: Logger) {
    this.upstream = upstream;
    this.#logger = logger;
    const { host, port, login, tls } = upstream;
    this.#client = new RpcClient({
      host,
      port,
      login,
      timeout: ANSWER_MS,
      dial: proxy && dialThrough(proxy),
      // Nothing of ours is secret here, and what comes back is not trusted: any certificate will do.
      tls: { mode: tls, directory: '' },
    });
  }

  /** Its height; undefined when it is not in sync itself, or does not answer. */
  async height(): Promise<number | undefined> {
    try {
      const { height, target_height: target } = await this.#client.caller.path('/getinfo');
      if (typeof height !== 'number' || (typeof target === 'number' && target > height)) {
        this.#logger.warn(`bootstrap daemon ${this.upstream.address} is not in sync`);
        return undefined;
      }
      return height;
    } catch (error) {
      this.#complain(error);
      return undefined;
    }
  }

  /** Body of its answer; undefined without a success. */
  async ask(path: string, body: Uint8Array): Promise<Uint8Array | undefined> {
    try {
      const answer = await this.#client.post(path, body);
      return answer.status === 200 ? answer.body : undefined;
    } catch (error) {
      this.#complain(error);
      return undefined;
    }
  }

  close(): void {
    this.#client.close();
  }

  #complain(error: unknown): void {
    this.#logger.warn(`bootstrap daemon ${this.upstream.address}: ${(error as Error).message}`);
  }
}
