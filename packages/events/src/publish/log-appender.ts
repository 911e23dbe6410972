import type { JetStreamClient } from '@nats-io/jetstream';
import { entryHeaders, MAX_PARTS, type EntryFacts } from '../broker/entry-facts.ts';
import { cutIntoParts } from '../broker/payload-parts.ts';
import { isWrongLast } from '../broker/streams.ts';

/** Most messages, and most bytes, that wait for their acknowledgement. */
const MAX_WAITING = 256;
const MAX_WAITING_BYTES = 8 << 20;

/** Another node has added to the stream: its state must be read again. */
export class StreamMovedError extends Error {
  override readonly name = 'StreamMovedError';
}

export interface LogAppenderOptions {
  readonly subject: string;
  /** Sequence of the newest message of the stream. */
  readonly lastSequence: number;
  /** Longest payload, bytes. */
  readonly partBytes: number;
}

export interface LogAppenderDependencies {
  readonly jetstream: JetStreamClient;
  /** Told about each message that is stored. */
  readonly onStored?: (facts: EntryFacts) => void;
}

/**
 * Appends messages to a stream that is its own. Many are under way at a time, and yet none is stored unless the one
 * before it is: each names the sequence that it follows. The id of a message is made of that sequence too, so that
 * two nodes that append the same make one message of it.
 */
export class LogAppender {
  readonly #options: LogAppenderOptions;
  readonly #jetstream: JetStreamClient;
  readonly #onStored: LogAppenderDependencies['onStored'];
  readonly #waiting = new Set<Promise<void>>();
  #last: number;
  #bytes = 0;
  #failure: unknown;

  constructor(options: LogAppenderOptions, { jetstream, onStored }: LogAppenderDependencies) {
    this.#options = options;
    this.#jetstream = jetstream;
    this.#onStored = onStored;
    this.#last = options.lastSequence;
  }

  /**
   * Sends a message, in parts if it is long; resolves once few enough wait for their acknowledgement. Rejects with the first
   * failure of any message: StreamMovedError, or an error of the connection. Throws RangeError for a payload of more parts
   * than are read.
   */
  async append(facts: Omit<EntryFacts, 'part' | 'parts'>, payload: Uint8Array): Promise<void> {
    const pieces = cutIntoParts(payload, this.#options.partBytes);
    if (pieces.length > MAX_PARTS) throw new RangeError(`message of ${pieces.length} parts`);
    for (const [part, piece] of pieces.entries()) {
      await this.#makeRoom();
      this.#send({ ...facts, part, parts: pieces.length }, piece);
    }
  }

  /** Resolves when every message is acknowledged. Rejects as `append` does. */
  async settle(): Promise<void> {
    await Promise.all(this.#waiting);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #makeRoom(): Promise<void> {
    while (this.#waiting.size >= MAX_WAITING || this.#bytes >= MAX_WAITING_BYTES) {
      await Promise.race(this.#waiting);
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  #send(facts: EntryFacts, payload: Uint8Array): void {
    const follows = this.#last;
    this.#last++;
    this.#bytes += payload.length;
    const sent = this.#publish(facts, payload, follows)
      .catch((error: unknown) => {
        this.#failure ??= isWrongLast(error) ? new StreamMovedError('the stream has moved') : error;
      })
      .finally(() => {
        this.#bytes -= payload.length;
        this.#waiting.delete(sent);
      });
    this.#waiting.add(sent);
  }

  async #publish(facts: EntryFacts, payload: Uint8Array, follows: number): Promise<void> {
    const kind = facts.type === 'block.added' ? 'a' : 'r';
    const { seq } = await this.#jetstream.publish(this.#options.subject, payload, {
      headers: entryHeaders(facts),
      msgID: `${follows}.${kind}.${facts.id}.${facts.part}`,
      expect: { lastSequence: follows },
    });
    if (seq !== follows + 1) throw new StreamMovedError(`stored as ${seq}, not ${follows + 1}`);
    this.#onStored?.(facts);
  }
}
