import { frameBytes } from './frame-reader.ts';
import type { ZmtpConnection } from './connection.ts';
import { ZmtpListener } from './listener.ts';
import { ZMTP_LIMITS, type ZmtpLimits } from './limits.ts';

/** Bytes of messages that may wait for a subscriber; it misses those that would exceed it. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;

/** A subscription is a prefix of a topic. */
const LIMITS: ZmtpLimits = {
  ...ZMTP_LIMITS,
  messageBytes: 1024,
  frames: 4,
  connections: 1024,
  connectionsPerHost: 512,
  receivedBytes: 1024 * 1024,
};

/** The subscriptions of one connection. */
export interface Subscriber {
  /** Takes a subscription or its end: one byte for the kind, then a prefix. */
  note(message: Uint8Array): void;
  wanted(topic: string): boolean;
}

/** A socket that publishes messages to subscribers (PUB). */
export class PublishSocket {
  readonly #listener: ZmtpListener;
  readonly #subscribers = new Map<ZmtpConnection, Subscriber>();
  readonly #createSubscriber: () => Subscriber;

  constructor(createSubscriber: () => Subscriber) {
    this.#createSubscriber = createSubscriber;
    const note = (connection: ZmtpConnection, message: Buffer | undefined): void => {
      if (message !== undefined) this.#subscriber(connection).note(message);
    };
    this.#listener = new ZmtpListener(
      {
        type: 'PUB',
        peers: ['SUB', 'XSUB'],
        onMessage: (connection, frames) => {
          note(connection, frames[0]);
        },
        onSubscription: note,
      },
      LIMITS,
    );
  }

  /** Returns the address with the port chosen. Rejects when it cannot be bound. */
  bind(address: string): Promise<string> {
    return this.#listener.bind(address);
  }

  close(): void {
    this.#listener.close();
    this.#subscribers.clear();
  }

  wanted(topic: string): boolean {
    this.#forgetClosed();
    for (const subscriber of this.#subscribers.values()) if (subscriber.wanted(topic)) return true;
    return false;
  }

  /** Sends a message to the subscribers of its topic. One that does not keep up misses it. */
  send(topic: string, message: Buffer): void {
    this.#forgetClosed();
    const frame = frameBytes(message);
    for (const [connection, subscriber] of this.#subscribers) {
      const waiting = connection.unsent;
      const isFull = waiting > 0 && waiting + frame.length > MAX_UNSENT_BYTES;
      if (!isFull && subscriber.wanted(topic)) connection.sendNow(frame);
    }
  }

  #subscriber(connection: ZmtpConnection): Subscriber {
    let subscriber = this.#subscribers.get(connection);
    if (subscriber === undefined) {
      subscriber = this.#createSubscriber();
      this.#subscribers.set(connection, subscriber);
    }
    return subscriber;
  }

  #forgetClosed(): void {
    for (const connection of this.#subscribers.keys()) {
      if (!connection.isOpen) this.#subscribers.delete(connection);
    }
  }
}
