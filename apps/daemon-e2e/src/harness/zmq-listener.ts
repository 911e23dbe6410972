import { setTimeout as sleep } from 'node:timers/promises';
import { Subscriber } from 'zeromq';
import { isObject, parseJson, type Json } from './json.ts';
import { freePorts, LOOPBACK } from './ports.ts';
import { waitUntil } from './wait.ts';

/** A message of a ZeroMQ publisher. */
export interface ZmqMessage {
  readonly topic: string;
  readonly body: Json;
}

/** Where a node publishes, and the options that make it do so. */
export interface ZmqPlace {
  readonly address: string;
  readonly extra: readonly string[];
}

/** Returns free ports for a node that publishes. */
export async function zmqPlace(): Promise<ZmqPlace> {
  const [rpc = 0, publish = 0] = await freePorts(2);
  const address = `tcp://${LOOPBACK}:${publish}`;
  return {
    address,
    extra: [
      '--zmq-rpc-bind-ip',
      LOOPBACK,
      '--zmq-rpc-bind-port',
      String(rpc),
      '--zmq-pub',
      address,
    ],
  };
}

/** Keeps every message that a node publishes. */
export class ZmqListener {
  readonly #socket = new Subscriber();
  #messages: ZmqMessage[] = [];

  /** Connects to a node that runs. Resolves when the subscription has arrived. */
  static async at({ address }: ZmqPlace): Promise<ZmqListener> {
    const listener = new ZmqListener();
    listener.#socket.subscribe('json');
    listener.#socket.connect(address);
    void listener.#read();
    // The socket does not report when its subscription has arrived.
    await sleep(1000);
    return listener;
  }

  /** Returns the messages since the last call, once there is one for which `isLast` holds and no more follow. */
  async take(what: string, isLast: (message: ZmqMessage) => boolean): Promise<ZmqMessage[]> {
    await waitUntil(what, () => this.#messages.some(isLast));
    let count = 0;
    while (count !== this.#messages.length) {
      count = this.#messages.length;
      await sleep(500);
    }
    return this.#messages.splice(0);
  }

  /** Returns the messages that have come since the last call. */
  async taken(): Promise<ZmqMessage[]> {
    await sleep(500);
    return this.#messages.splice(0);
  }

  close(): void {
    this.#socket.close();
  }

  async #read(): Promise<void> {
    for await (const [frame] of this.#socket) {
      const text = String(frame);
      const end = text.indexOf(':');
      this.#messages.push({ topic: text.slice(0, end), body: parseJson(text.slice(end + 1)) });
    }
  }
}

/** Returns whether a message announces the block with an id, in short form. */
export const announces =
  (id: string) =>
  ({ topic, body }: ZmqMessage): boolean =>
    topic === 'json-minimal-chain_main' &&
    isObject(body) &&
    Array.isArray(body['ids']) &&
    body['ids'].includes(id);
