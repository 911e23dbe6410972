import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';

/** How a client asks for a stream of events. */
export interface Visit {
  readonly port: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly localAddress?: string | undefined;
}

/** A client of a stream of events. */
export class Visitor {
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  /** What has come so far. */
  text = '';
  readonly ended: Promise<unknown>;

  private constructor(call: ClientRequest, response: IncomingMessage) {
    this.#request = call;
    this.#response = response;
    response.setEncoding('utf8').on('data', (text: string) => (this.text += text));
    this.ended = new Promise((resolve) => {
      response.on('close', resolve);
      response.on('error', resolve);
    });
  }

  static async open(visit: Visit): Promise<Visitor> {
    const { port, path, headers = {}, localAddress = '127.0.0.1' } = visit;
    const at = { host: '127.0.0.1', port, localAddress };
    const call = request({ ...at, path, agent: false, headers });
    call.on('error', () => undefined).end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return new Visitor(call, response);
  }

  get status(): number {
    return this.#response.statusCode ?? 0;
  }

  get headers(): IncomingMessage['headers'] {
    return this.#response.headers;
  }

  /** Resolves when the text has come. */
  async has(text: string): Promise<void> {
    while (!this.text.includes(text)) await once(this.#response, 'data');
  }

  /** Whether the end of the answer has come. */
  get isComplete(): boolean {
    return this.#response.complete;
  }

  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  leave(): void {
    this.#request.destroy();
  }
}
