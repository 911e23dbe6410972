import { monotonicMilliseconds } from '@monero-node/base';
import type { FinishedCall } from '../dependencies.ts';
import type { Reply } from './reply.ts';

/** Longest path and method that are shown, characters: clients make them up. */
const MAX_NAME = 80;

/** Follows one call and reports it when it ends. */
export class CallReport {
  readonly #address: string;
  readonly #url: string;
  readonly #began = monotonicMilliseconds();
  #called: string | undefined;
  #status: number | undefined;
  #bytes = 0;

  constructor(address: string, url: string) {
    this.#address = address;
    this.#url = url;
  }

  /** Notes the reply; returns it with its bytes counted. */
  answered(reply: Reply): Reply {
    const { status, body, called } = reply;
    this.#status = status;
    this.#called = called;
    this.#bytes = body.length;
    if (body.rest === undefined) return reply;
    return { ...reply, body: { ...body, rest: this.#counted(body.rest) } };
  }

  /** @param isSent whether the client got the whole answer */
  finished(isSent: boolean): FinishedCall {
    const called = this.#called === undefined ? '' : ` ${this.#called.slice(0, MAX_NAME)}`;
    return {
      address: this.#address,
      method: shown(this.#url.slice(0, MAX_NAME) + called),
      status: isSent ? this.#status : undefined,
      milliseconds: monotonicMilliseconds() - this.#began,
      bytes: this.#bytes,
    };
  }

  async *#counted(
    rest: AsyncGenerator<readonly Uint8Array[], void>,
  ): AsyncGenerator<readonly Uint8Array[], void> {
    for await (const part of rest) {
      for (const chunk of part) this.#bytes += chunk.length;
      yield part;
    }
  }
}

/** Returns a short text of printable ASCII characters. */
function shown(text: string): string {
  return text.slice(0, MAX_NAME).replace(/[^\x20-\x7e]/g, '?');
}
