import { FairScheduler, Mutex } from '@monero-node/base';
import type { ZmtpConnection } from './connection.ts';
import { ZmtpListener } from './listener.ts';
import { ZMTP_LIMITS, type ZmtpLimits } from './limits.ts';
import { UnsentAnswers } from './unsent-answers.ts';

/** Returns the answer to a request as chunks of its one frame. Never rejects. */
export type AnswerRequest = (frames: readonly Buffer[]) => Promise<readonly Uint8Array[]>;

/**
 * A socket that answers requests (REP), one at a time. A connection is read on only when its request is answered and the
 * answer taken, so that it never holds more than one of each.
 */
export class ReplySocket {
  readonly #listener: ZmtpListener;
  readonly #calls = new Mutex();
  /** Lets the event loop run between requests. */
  readonly #turns = new FairScheduler().begin();
  readonly #unsent = new UnsentAnswers();
  readonly #answer: AnswerRequest;

  constructor(answer: AnswerRequest, limits: ZmtpLimits = ZMTP_LIMITS) {
    this.#answer = answer;
    this.#listener = new ZmtpListener(
      {
        type: 'REP',
        peers: ['REQ', 'DEALER'],
        onMessage: (connection, frames) => this.#serve(connection, frames),
      },
      limits,
    );
  }

  /** Returns the address with the port chosen. Rejects when it cannot be bound. */
  bind(address: string): Promise<string> {
    return this.#listener.bind(address);
  }

  close(): void {
    this.#listener.close();
  }

  /**
   * Returns a promise that settles when the answer is sent; undefined for a message without the empty frame that ends
   * the envelope, which is no request, as in libzmq.
   */
  #serve(connection: ZmtpConnection, frames: readonly Buffer[]): Promise<void> | undefined {
    const end = frames.findIndex((frame) => frame.length === 0) + 1;
    return end === 0 ? undefined : this.#reply(connection, frames.slice(0, end), frames.slice(end));
  }

  async #reply(
    connection: ZmtpConnection,
    envelope: readonly Buffer[],
    request: readonly Buffer[],
  ): Promise<void> {
    const chunks = await this.#calls.run(async () => {
      // Otherwise many short requests would be answered without a turn of the event loop.
      await this.#turns.yieldIfDue();
      return connection.isOpen ? this.#answer(request) : [];
    });
    if (!connection.isOpen) return;
    const sent = this.#unsent.add(connection, chunks);
    await connection.send(envelope, chunks);
    sent();
  }
}
