import { BoundedMap, Mutex, Yielder } from '@monero-node/base';
import type { AddedBlock, BlockBundle, CompleteBlock } from '@monero-node/blockchain';
import { type JsonValue, parseTransaction, stringifyJson64, toHex } from '@monero-node/codec';
import type { PoolTransaction } from '@monero-node/mempool';
import type { RpcServices } from '@monero-node/rpc/shared';
import { backlogBefore, framesAfter, minerDataJson, type MinerFrame } from './miner-frames.ts';
import { newTransactions, published, type PublishedTransaction } from './new-transactions.ts';
import { Subscriptions, type Topic, TOPICS } from './subscriptions.ts';
import { blockJson, transactionJson } from './transaction-json.ts';
import { PublishSocket } from './zmtp/publish-socket.ts';

const TRANSACTION_TOPICS: readonly Topic[] = ['json-full-txpool_add', 'json-minimal-txpool_add'];

/** Most events waiting to be announced; blocks that came together count each. */
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
  /** The last transactions of side chains, by id in hex. */
  readonly #announced = new BoundedMap<string, true>(MAX_WAITING);
  /** By id in hex. */
  #mined = new Map<string, PoolTransaction>();
  #removed: readonly BlockBundle[] | undefined;
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

  /** Remembers a transaction that leaves the pool for a block, until {@link blocksAdded} is called for that block. */
  transactionMined(transaction: PoolTransaction): void {
    if (this.#isWatched) this.#mined.set(toHex(transaction.id), transaction);
  }

  /** Announces the transactions of a block of a side chain that are neither in the pool nor in the chain. */
  alternativeAdded({ txs }: CompleteBlock): void {
    if (!TRANSACTION_TOPICS.some((topic) => this.#wants(topic))) return;
    const { chain, pool } = this.#services;
    const news = txs.filter(
      ({ id, pruned }) =>
        !pruned &&
        !this.#announced.has(toHex(id)) &&
        pool.transaction(id) === undefined &&
        chain.store.txLocation(id) === undefined,
    );
    // The pool takes them in a little later, and the block may be on the main chain by then.
    for (const { id } of news) this.#announced.set(toHex(id), true);
    this.transactionsAdded(news.map(published));
  }

  /** Remembers the blocks that a reorganization removes, until {@link blocksAdded} is called for those in their place. */
  blocksRemoved(removed: readonly BlockBundle[]): void {
    this.#removed = removed;
  }

  /**
   * Announces blocks that have just become part of the main chain, lowest first: for each the transactions that were not in
   * the pool, the data for miners after it, and the block. monerod does the same, but announces the blocks of a
   * reorganization twice.
   */
  blocksAdded(blocks: readonly AddedBlock[]): void {
    const [mined, removed] = [this.#mined, this.#removed];
    this.#mined = new Map();
    this.#removed = undefined;
    const frames = this.#wants('json-full-miner_data') ? this.#framesAfter(blocks) : undefined;
    const isListened = TRANSACTION_TOPICS.some((topic) => this.#wants(topic));
    const isKnown = (id: string): boolean => mined.has(id) || this.#announced.has(id);
    this.#announce(async (yielder) => {
      const backlog = frames && (await this.#services.pool.templateBacklog());
      const news = isListened ? newTransactions(blocks, isKnown, removed) : [];
      for (const [at, block] of blocks.entries()) {
        await yielder.yieldIfDue();
        await this.#sendTransactions(news[at] ?? [], yielder);
        const frame = frames?.[at];
        for (const { id } of block.bundle.txs) mined.delete(toHex(id));
        if (frame !== undefined && backlog !== undefined) {
          const later = [...mined.values()].filter(({ broadcast }) => broadcast);
          const before = await backlogBefore(backlog, later, frame.medianWeight);
          this.#send('json-full-miner_data', minerDataJson(frame, before));
        }
        this.#sendBlock(block);
      }
    }, blocks.length);
  }

  /** Announces transactions that have become public. */
  transactionsAdded(transactions: readonly PublishedTransaction[]): void {
    if (transactions.length === 0) return;
    this.#announce((yielder) => this.#sendTransactions(transactions, yielder));
  }

  async #sendTransactions(
    transactions: readonly PublishedTransaction[],
    yielder: Yielder,
  ): Promise<void> {
    if (transactions.length === 0) return;
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
  }

  #sendBlock({ height, bundle }: AddedBlock): void {
    const { block, id } = bundle.block;
    if (this.#wants('json-full-chain_main')) this.#send('json-full-chain_main', [blockJson(block)]);
    if (this.#wants('json-minimal-chain_main')) {
      const first = { first_height: height, first_prev_id: toHex(block.prevId) };
      this.#send('json-minimal-chain_main', { ...first, ids: [toHex(id)] });
    }
  }

  #framesAfter(blocks: readonly AddedBlock[]): readonly (MinerFrame | undefined)[] {
    try {
      return framesAfter(blocks, this.#services.chain);
    } catch (error) {
      this.#complain('there is no data for miners', error);
      return [];
    }
  }

  get #isWatched(): boolean {
    return this.#socket !== undefined && TOPICS.some((topic) => this.#wants(topic));
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
  #announce(event: (yielder: Yielder) => Promise<void>, weight = 1): void {
    if (!this.#isWatched) return;
    if (this.#waiting >= MAX_WAITING) {
      this.#services.logger.warn('too many ZeroMQ events at once, one is lost');
      return;
    }
    this.#waiting += weight;
    void this.#events
      .run(() => event(new Yielder()))
      .catch((error: unknown) => {
        this.#complain('an event could not be announced', error);
      })
      .finally(() => {
        this.#waiting -= weight;
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
