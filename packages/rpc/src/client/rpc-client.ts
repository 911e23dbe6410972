import { Agent, request, type ClientRequestArgs, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Login } from '../login/digest.ts';
import { resolveTls, type TlsOptions } from '../tls/options.ts';
import { callerOver, RpcConnectionError, type PostAnswer, type RpcCaller } from './caller.ts';
import { openSocket, type Endpoint } from './connect.ts';
import { DigestClient } from './digest-client.ts';

const ANSWER_MS = 120_000;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** Where a daemon is and how to get in. */
export interface RpcClientOptions {
  readonly host: string;
  readonly port: number;
  readonly login?: Login | undefined;
  /** As a server has them: the rules for certificates are then about the server's. Plain HTTP when absent. */
  readonly tls?: TlsOptions | undefined;
  /** Milliseconds to wait for an answer; two minutes when absent. */
  readonly timeout?: number;
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
  readonly #options: RpcClientOptions;
  readonly #agent: Agent;
  readonly #digest: DigestClient | undefined;
  /** The request before: the next one waits for it, as nonces are counted. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: RpcClientOptions) {
    this.#options = options;
    this.#digest = options.login === undefined ? undefined : new DigestClient(options.login);
    const endpoint = endpointOf(options);
    this.#agent = new OneConnection(() => {
      this.#digest?.forget();
      return openSocket(endpoint);
    });
    this.caller = callerOver((path, body) => this.post(path, body));
  }

  /** Posts a body, with the login when the server asks for one. @throws RpcConnectionError */
  post(path: string, body: Uint8Array): Promise<PostAnswer> {
    const answer = this.#last.then(() => this.#askWithLogin(path, body));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #askWithLogin(path: string, body: Uint8Array): Promise<PostAnswer> {
    const first = await this.#ask(path, body);
    const digest = this.#digest;
    if (first.status !== 401 || digest === undefined) return first;
    if (!digest.challenged(first.challenges)) return first;
    return this.#ask(path, body);
  }

  #ask(path: string, body: Uint8Array): Promise<PostAnswer & { challenges: string[] }> {
    const { host, port, timeout = ANSWER_MS } = this.#options;
    const authorization = this.#digest?.authorization('POST', path);
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(new RpcConnectionError(error.message));
      const call = request({
        agent: this.#agent,
        method: 'POST',
        path,
        timeout,
        headers: {
          Host: `${host}:${port}`,
          'Content-Type': 'application/json',
          'Content-Length': body.length,
          ...(authorization === undefined ? {} : { Authorization: authorization }),
        },
      });
      call.on('timeout', () => call.destroy(new Error('timed out')));
      call.on('error', fail);
      call.on('response', (response) => {
        readAll(response).then(
          (bytes) =>
            resolve({
              status: response.statusCode ?? 0,
              body: bytes,
              challenges: headersNamed(response, 'www-authenticate'),
            }),
          fail,
        );
      });
      call.end(body);
    });
  }
}

function endpointOf({ host, port, tls }: RpcClientOptions): Endpoint {
  const resolved = resolveTls(tls);
  return { host, port, tls: resolved?.mode ?? 'disabled', rules: resolved?.clients };
}

/** Every value of a header, in order; Node would join them. */
function headersNamed({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
}

async function readAll(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
