import { Agent, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Login } from '../login/digest.ts';
import { resolveTls, type TlsOptions } from '../tls/options.ts';
import { callerOver, RpcConnectionError, type PostAnswer, type RpcCaller } from './caller.ts';
import { openSocket, type Dial, type Endpoint } from './connect.ts';
import { HttpPoster } from './http-poster.ts';

const ANSWER_MS = 120_000;

/** Where a daemon is and how to get in. */
export interface RpcClientOptions {
  readonly host: string;
  readonly port: number;
  readonly login?: Login | undefined;
  /** As a server has them: the rules for certificates are then about the server's. Plain HTTP when absent. */
  readonly tls?: TlsOptions | undefined;
  /** Milliseconds to wait for an answer; two minutes when absent. */
  readonly timeout?: number;
  /** Opens connections to the daemon, through a proxy say; directly when absent. */
  readonly dial?: Dial | undefined;
}

/** Keeps one connection, opened by us. */
class OneConnection extends Agent {
  readonly #open: () => Promise<Duplex>;

  constructor(open: () => Promise<Duplex>) {
    super({ keepAlive: true, maxSockets: 1 });
    this.#open = open;
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): null {
    this.#open().then(
      (socket) => callback?.(null, socket),
      (error: unknown) => callback?.(error as Error, undefined as never),
    );
    return null;
  }
}

/** A client of the RPC of a daemon, this one's or monerod's. Requests go one after another over one connection. */
export class RpcClient {
  /** For calls whose requests and answers are JSON. */
  readonly caller: RpcCaller;
  readonly #poster: HttpPoster;

  constructor(options: RpcClientOptions) {
    const { host, port, login, timeout = ANSWER_MS } = options;
    const endpoint = endpointOf(options);
    const agent = new OneConnection(() => openSocket(endpoint));
    this.#poster = new HttpPoster({ host, port, agent, login, timeout });
    this.caller = callerOver((path, body) => this.post(path, body));
  }

  /** Posts a body, with the login when the server asks for one. @throws RpcConnectionError */
  async post(path: string, body: Uint8Array): Promise<PostAnswer> {
    try {
      return await this.#poster.post(path, 'application/json', body);
    } catch (error) {
      throw new RpcConnectionError(error instanceof Error ? error.message : String(error));
    }
  }

  close(): void {
    this.#poster.close();
  }
}

function endpointOf({ host, port, tls, dial }: RpcClientOptions): Endpoint {
  const resolved = resolveTls(tls);
  return { host, port, tls: resolved?.mode ?? 'disabled', rules: resolved?.clients, dial };
}
