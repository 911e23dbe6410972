import { Agent, request } from 'node:http';
import { LOOPBACK } from './ports.ts';

/** Counts of a client's connections. */
export interface Seen {
  answers: number;
  /** Connections that broke off. */
  broken: number;
  /** Answers with a lower height than one before on the same connection. */
  goneBack: number;
}

/** Asks for `/get_info` again and again on one kept connection; opens another one when it breaks off. */
export class SteadyClient {
  readonly seen: Seen = { answers: 0, broken: 0, goneBack: 0 };
  readonly #port: number;
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #height = 0;
  /** Whether the chain may become shorter. */
  #mayLower = false;
  /** Changes with it, so that an answer that was under way meanwhile means nothing. */
  #epoch = 0;
  #isStopped = false;
  readonly #ended: Promise<void>;

  constructor(port: number) {
    this.#port = port;
    this.#ended = this.#run();
  }

  /** The chain may become shorter from now on, or not any more. */
  allowLower(mayLower: boolean): void {
    this.#mayLower = mayLower;
    this.#epoch++;
  }

  async stop(): Promise<Seen> {
    this.#isStopped = true;
    await this.#ended;
    this.#agent.destroy();
    return this.seen;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const epoch = this.#epoch;
      try {
        const height = await this.#ask();
        this.seen.answers++;
        const counts = !this.#mayLower && epoch === this.#epoch;
        if (counts && height < this.#height) this.seen.goneBack++;
        this.#height = counts ? height : 0;
      } catch {
        this.seen.broken++;
        this.#height = 0;
        this.#agent.destroy();
        this.#agent = new Agent({ keepAlive: true, maxSockets: 1 });
      }
    }
  }

  #ask(): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: LOOPBACK,
          port: this.#port,
          path: '/get_info',
          agent: this.#agent,
          timeout: 20_000,
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.once('error', reject);
          response.once('end', () => {
            resolve((JSON.parse(text) as { readonly height: number }).height);
          });
        },
      );
      sent.once('timeout', () => sent.destroy(new Error('no answer in time')));
      sent.once('error', reject);
      sent.end();
    });
  }
}
