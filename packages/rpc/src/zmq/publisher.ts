import { Mutex, Yielder } from '@monero-node/base';
import type { AddedBlock } from '@monero-node/blockchain';
import { parseTransaction, stringifyJson64, toHex, type JsonValue } from '@monero-node/codec';
import type { PoolTransaction } from '@monero-node/mempool';
import { minerData } from '../mining/miner-data.ts';
import type { RpcServices } from '../context.ts';
import { PublishSocket } from '../zmtp/publish-socket.ts';
import { Subscriptions, TOPICS, type Topic } from './subscriptions.ts';
import { blockJson, transactionJson } from './transaction-json.ts';

/** A pool transaction that is public. */
export type PublishedTransaction = Pick<PoolTransaction, 'id' | 'blob' | 'weight' | 'fee'>;

/** Most events waiting to be announced. */
const MAX_WAITING = 1000;

/**
 * Publishes new blocks and transactions: one frame `topic:json` each. A subscriber that does not keep up misses
 * messages; past messages are not sent again.
 */
export class ZmqPublisher {
  readonly #addresses: readonly string[];
  readonly #services: Pick<RpcServices, 'chain' | 'pool' | 'logger'>;
  readonly #events = new Mutex();
  #waiting = 0;
  #socket: PublishSocket | undefined;

  constructor(
    addresses: readonly string[],
    services: Pick<RpcServices, 'chain' | 'pool' | 'logger'>,
  ) {
    this.#addresses = addresses;
    this.#services = services;
  }

  /** Binds every address and returns the addresses with the ports chosen. Rejects when one cannot be bound. */
  async start(): Promise<readonly string[]> {
    const socket = new PublishSocket(() => new Subscriptions());
    this.#socket = socket;
    const bound: string[] = [];
    for (const address of this.#addresses) bound.push(await bind(socket, address));
    return bound;
  }

  stop(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }

  /**
   * Announces blocks that have just become part of the main chain, however many. The data for miners is of the new top
   * and comes first, so that they lose no time. monerod sends each block on its own too, but those of a
   * reorganisation twice.
   */
  blocksAdded(blocks: readonly AddedBlock[]): void {
    this.#announce(async (yielder) => {
      if (this.#wants('json-full-miner_data')) await this.#sendMinerData();
      for (const { height, bundle } of blocks) {
        await yielder.yieldIfDue();
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
    this.#announce(async (yielder) => {
      if (this.#wants('json-full-txpool_add')) {
        const full: string[] = [];
        for (const { blob } of transactions) {
          await yielder.yieldIfDue();
          full.push(stringifyJson64(transactionJson(parseTransaction(blob).tx)));
        }
        this.#sendText('json-full-txpool_add', `[${full.join(',')}]`);
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

  async #sendMinerData(): Promise<void> {
    const { chain, pool } = this.#services;
    const data = await minerData(chain, pool);
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
    return this.#socket?.wanted(topic) === true;
  }

  #send(topic: Topic, value: JsonValue): void {
    this.#sendText(topic, stringifyJson64(value));
  }

  #sendText(topic: Topic, json: string): void {
    this.#socket?.send(topic, Buffer.from(`${topic}:${json}`));
  }

  /** Announces events one after another, in slices. A failure here must not reach the caller. */
  #announce(event: (yielder: Yielder) => Promise<void>): void {
    if (this.#socket === undefined || !TOPICS.some((topic) => this.#wants(topic))) return;
    if (this.#waiting >= MAX_WAITING) {
      this.#services.logger.warn('too many ZeroMQ events at once, one is lost');
      return;
    }
    this.#waiting++;
    void this.#events
      .run(() => event(new Yielder()))
      .catch((error: unknown) => {
        this.#complain('an event could not be announced', error);
      })
      .finally(() => {
        this.#waiting--;
      });
  }

  #complain(what: string, error: unknown): void {
    this.#services.logger.error(`ZeroMQ: ${what}: ${String(error)}`);
  }
}

async function bind(socket: PublishSocket, address: string): Promise<string> {
  try {
    return await socket.bind(address);
  } catch (error) {
    throw new Error(`--zmq-pub ${address}: ${(error as Error).message}`, { cause: error });
  }
}
