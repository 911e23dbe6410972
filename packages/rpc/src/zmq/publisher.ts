import type { AddedBlock } from '@monero-node/blockchain';
import { parseTransaction, stringifyJson64, toHex, type JsonValue } from '@monero-node/codec';
import type { PoolTransaction } from '@monero-node/mempool';
import { XPublisher } from 'zeromq';
import { minerData } from '../mining/miner-data.ts';
import type { RpcServices } from '../context.ts';
import { MAX_ZMQ_REQUEST } from './endpoint.ts';
import { Subscriptions, type Topic } from './subscriptions.ts';
import { blockJson, transactionJson } from './transaction-json.ts';

/** A pool transaction that is public. */
export type PublishedTransaction = Pick<PoolTransaction, 'id' | 'blob' | 'weight' | 'fee'>;

/** Most messages waiting for the socket. */
const MAX_WAITING = 10_000;
/** Time that messages still unsent get when the socket closes, milliseconds. */
const LINGER_MS = 1000;

/**
 * Publishes new blocks and transactions: one frame `topic:json` each. A subscriber that does not keep up misses
 * messages; past messages are not sent again.
 */
export class ZmqPublisher {
  readonly #addresses: readonly string[];
  readonly #services: Pick<RpcServices, 'chain' | 'pool' | 'logger'>;
  readonly #subscriptions = new Subscriptions();
  readonly #waiting: string[] = [];
  #socket: XPublisher | undefined;
  #sending = false;

  constructor(
    addresses: readonly string[],
    services: Pick<RpcServices, 'chain' | 'pool' | 'logger'>,
  ) {
    this.#addresses = addresses;
    this.#services = services;
  }

  /** Binds every address and returns the addresses with the ports chosen. Rejects when one cannot be bound. */
  async start(): Promise<readonly string[]> {
    const socket = new XPublisher({
      linger: LINGER_MS,
      ipv6: true,
      maxMessageSize: MAX_ZMQ_REQUEST,
    });
    this.#socket = socket;
    const bound: string[] = [];
    for (const address of this.#addresses) {
      await bind(socket, address);
      bound.push(socket.lastEndpoint ?? address);
    }
    void this.#listen(socket);
    return bound;
  }

  stop(): void {
    this.#socket?.close();
    this.#socket = undefined;
    this.#waiting.length = 0;
  }

  /**
   * Announces blocks that have just become part of the main chain, however many. The data for miners is of the new top
   * and comes first, so that they lose no time. monerod sends each block on its own too, but those of a
   * reorganisation twice.
   */
  blocksAdded(blocks: readonly AddedBlock[]): void {
    this.#safely(() => {
      if (this.#wants('json-full-miner_data')) this.#sendMinerData();
      for (const { height, bundle } of blocks) {
        const { block, id } = bundle.block;
        if (this.#wants('json-full-chain_main')) {
          this.#send('json-full-chain_main', [blockJson(block)]);
        }
        if (this.#wants('json-minimal-chain_main')) {
          const first = { first_height: height, first_prev_id: toHex(block.prevId) };
          this.#send('json-minimal-chain_main', { ...first, ids: [toHex(id)] });
        }
      }
    });
  }

  /** Announces transactions that have become public. */
  transactionsAdded(transactions: readonly PublishedTransaction[]): void {
    if (transactions.length === 0) return;
    this.#safely(() => {
      if (this.#wants('json-full-txpool_add')) {
        const full = transactions.map(({ blob }) => transactionJson(parseTransaction(blob).tx));
        this.#send('json-full-txpool_add', full);
      }
      if (this.#wants('json-minimal-txpool_add')) {
        const minimal = transactions.map(({ id, blob, weight, fee }) => ({
          id: toHex(id),
          blob_size: blob.length,
          weight,
          fee,
        }));
        this.#send('json-minimal-txpool_add', minimal);
      }
    });
  }

  #sendMinerData(): void {
    const { chain, pool } = this.#services;
    const data = minerData(chain, pool);
    if (data === undefined) return;
    this.#send('json-full-miner_data', {
      major_version: data.major_version,
      height: data.height,
      prev_id: toHex(data.prev_id),
      seed_hash: toHex(data.seed_hash),
      difficulty: data.difficulty,
      median_weight: data.median_weight,
      already_generated_coins: data.already_generated_coins,
      tx_backlog: data.tx_backlog.map(({ id, weight, fee }) => ({ id: toHex(id), weight, fee })),
    });
  }

  #wants(topic: Topic): boolean {
    return this.#socket !== undefined && this.#subscriptions.wanted(topic);
  }

  #send(topic: Topic, value: JsonValue): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#services.logger.warn(`too many ZeroMQ messages at once, one of ${topic} is lost`);
      return;
    }
    this.#waiting.push(`${topic}:${stringifyJson64(value)}`);
    if (!this.#sending) void this.#drain();
  }

  /** The socket takes one message at a time. */
  async #drain(): Promise<void> {
    this.#sending = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        await this.#socket?.send(next);
      }
    } catch (error) {
      if (this.#socket !== undefined) this.#complain('a message could not be sent', error);
    } finally {
      this.#sending = false;
    }
  }

  /** A failure here must not reach the caller that announces an event. */
  #safely(announce: () => void): void {
    try {
      announce();
    } catch (error) {
      this.#complain('an event could not be announced', error);
    }
  }

  async #listen(socket: XPublisher): Promise<void> {
    try {
      for await (const [message] of socket) {
        if (message !== undefined) this.#subscriptions.note(message);
      }
    } catch (error) {
      if (this.#socket !== undefined) this.#complain('no more subscriptions are heard', error);
    }
  }

  #complain(what: string, error: unknown): void {
    this.#services.logger.error(`ZeroMQ: ${what}: ${String(error)}`);
  }
}

async function bind(socket: XPublisher, address: string): Promise<void> {
  try {
    await socket.bind(address);
  } catch (error) {
    throw new Error(`--zmq-pub ${address}: ${(error as Error).message}`, { cause: error });
  }
}
