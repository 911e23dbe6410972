/** The topics, in the order of one event's messages. Source: src/rpc/zmq_pub.cpp. */
export const TOPICS = [
  'json-full-txpool_add',
  'json-minimal-txpool_add',
  'json-full-miner_data',
  'json-full-chain_main',
  'json-minimal-chain_main',
] as const;
export type Topic = (typeof TOPICS)[number];

const UNSUBSCRIBE = 0;
const SUBSCRIBE = 1;

/** The topics that one subscriber listens to, so that messages nobody wants are not even made. It asks by prefix. */
export class Subscriptions {
  /** Only prefixes of topics, so there can't be many. */
  readonly #prefixes = new Set<string>();

  /** The number of prefixes that are kept. */
  get size(): number {
    return this.#prefixes.size;
  }

  /** Takes a message of the socket: one byte for the kind, then a prefix. */
  note(message: Uint8Array): void {
    const prefix = Buffer.from(message.subarray(1)).toString('latin1');
    if (!TOPICS.some((topic) => topic.startsWith(prefix))) return;
    if (message[0] === SUBSCRIBE) this.#prefixes.add(prefix);
    if (message[0] === UNSUBSCRIBE) this.#prefixes.delete(prefix);
  }

  wanted(topic: string): boolean {
    for (const prefix of this.#prefixes) if (topic.startsWith(prefix)) return true;
    return false;
  }
}
