import { Mutex } from '@monero-node/base';
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

  /** A message without the empty frame that ends the envelope is no request, as in libzmq. */
  async #serve(connection: ZmtpConnection, frames: readonly Buffer[]): Promise<void> {
    const end = frames.findIndex((frame) => frame.length === 0) + 1;
    if (end === 0) return;
    const chunks = await this.#calls.run(() =>
      connection.isOpen ? this.#answer(frames.slice(end)) : [],
    );
    if (!connection.isOpen) return;
    const sent = this.#unsent.add(connection, chunks);
    await connection.send(frames.slice(0, end), chunks);
    sent();
  }
}
