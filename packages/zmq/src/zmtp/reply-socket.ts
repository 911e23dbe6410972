import { performance } from 'node:perf_hooks';
import { ByteBudget, FairScheduler, Mutex } from '@monero-node/base';
import type { ZmtpConnection } from './connection.ts';
import { ZMTP_LIMITS, type ZmtpLimits } from './limits.ts';
import { ZmtpListener } from './listener.ts';

/** Bytes of answers that may wait for their readers. */
const MAX_UNSENT_BYTES = 128 * 1024 * 1024;

/** Bounds the answers that clients are reading: over the limit the oldest are abandoned with their connections. */
class UnsentAnswers {
  readonly #budget = new ByteBudget({ limit: MAX_UNSENT_BYTES });
  /** Oldest first. */
  readonly #connections = new Set<ZmtpConnection>();

  /** Returns the function to call when the answer is sent or the connection is closed. */
  add(connection: ZmtpConnection, chunks: readonly Uint8Array[]): () => void {
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    for (const oldest of this.#connections) {
      if (this.#budget.fits(bytes)) break;
      this.#remove(oldest);
      oldest.close();
    }
    this.#connections.add(connection);
    this.#budget.set(connection, bytes);
    return () => {
      this.#remove(connection);
    };
  }

  #remove(connection: ZmtpConnection): void {
    this.#connections.delete(connection);
    this.#budget.set(connection, 0);
  }
}

/** An answer: the chunks of its one frame, and what the one that made it adds for {@link ReplySocketOptions.onEnd}. */
export interface AnswerFrame {
  readonly chunks: readonly Uint8Array[];
}

/** Returns the answer to a request. Never rejects. */
export type AnswerRequest<A extends AnswerFrame> = (frames: readonly Buffer[]) => Promise<A>;

/** How a request ended. */
export interface EndOfRequest {
  /** Address of the client, without its port; undefined on a local socket. */
  readonly address: string | undefined;
  /** Whether the client took the whole answer. */
  readonly isSent: boolean;
  /** Seconds from the arrival of the request until its answer was ready. */
  readonly secondsToAnswer: number;
  /** Seconds from the arrival of the request until the client had taken its answer, or was gone. */
  readonly seconds: number;
  /** Bytes sent, frame headers included. */
  readonly bytes: number;
}

export interface ReplySocketOptions<A extends AnswerFrame> {
  readonly limits?: ZmtpLimits;
  /** Called after each request; the answer is undefined when the client left before its turn. Must not throw. */
  readonly onEnd?: ((answer: A | undefined, end: EndOfRequest) => void) | undefined;
}

/**
 * A socket that answers requests (REP), one at a time. A connection is read on only when its request is answered and the
 * answer taken, so that it never holds more than one of each.
 */
export class ReplySocket<A extends AnswerFrame> {
  readonly #listener: ZmtpListener;
  readonly #calls = new Mutex();
  /** Lets the event loop run between requests. */
  readonly #turns = new FairScheduler().begin();
  readonly #unsent = new UnsentAnswers();
  readonly #answer: AnswerRequest<A>;
  readonly #onEnd: ReplySocketOptions<A>['onEnd'];

  constructor(
    answer: AnswerRequest<A>,
    { limits = ZMTP_LIMITS, onEnd }: ReplySocketOptions<A> = {},
  ) {
    this.#answer = answer;
    this.#onEnd = onEnd;
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
    const began = performance.now();
    const bytesBefore = connection.bytesSent;
    const answer = await this.#calls.run(async () => {
      // Otherwise many short requests would be answered without a turn of the event loop.
      await this.#turns.yieldIfDue();
      return connection.isOpen ? this.#answer(request) : undefined;
    });
    const answered = performance.now();
    if (answer !== undefined && connection.isOpen) {
      const sent = this.#unsent.add(connection, answer.chunks);
      await connection.send(envelope, answer.chunks);
      sent();
    }
    this.#onEnd?.(answer, {
      address: connection.address,
      isSent: answer !== undefined && connection.isOpen,
      secondsToAnswer: (answered - began) / 1000,
      seconds: (performance.now() - began) / 1000,
      bytes: connection.bytesSent - bytesBefore,
    });
  }
}
