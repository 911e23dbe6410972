import type { EventEmitter } from 'node:events';
import type { BlockBundle, ChainEvents } from '@monero-node/blockchain';
import type { PoolTransaction, RemovalReason, TxPoolEvents } from '@monero-node/mempool';
import type { ChainReader } from '@monero-node/storage';
import { StreamReader } from '../page/stream-reader.ts';
import { ChainFeed } from './chain-feed.ts';
import { readPosition, type Position } from './message.ts';
import { PoolFeed } from './pool-feed.ts';

/** What tells of changes of the chain and the pool. */
export interface EventSources {
  readonly chain: Pick<EventEmitter<ChainEvents>, 'on' | 'off'>;
  readonly pool: Pick<EventEmitter<TxPoolEvents>, 'on' | 'off'>;
}

/** What a client has got. */
interface Seen {
  readonly block: Position;
  /** Number of a message about the pool. */
  readonly pool: number;
}

/** The blocks and the public transactions of a node as a stream of events, for any number of clients at their own pace. */
export class EventFeed {
  readonly #sources: EventSources;
  readonly #chain: ChainFeed;
  readonly #pool = new PoolFeed();
  readonly #readers = new Set<StreamReader<Seen>>();

  constructor(store: ChainReader, sources: EventSources) {
    this.#chain = new ChainFeed(store);
    this.#sources = sources;
  }

  /** Listens to the chain and the pool. */
  start(): void {
    const { chain, pool } = this.#sources;
    chain.on('blocks-added', this.#wake);
    chain.on('reorg', this.#reorganized);
    chain.on('popped', this.#popped);
    pool.on('published', this.#published);
    pool.on('removed', this.#left);
  }

  /** Ends all readers, and listens no more. */
  stop(): void {
    const { chain, pool } = this.#sources;
    chain.off('blocks-added', this.#wake);
    chain.off('reorg', this.#reorganized);
    chain.off('popped', this.#popped);
    pool.off('published', this.#published);
    pool.off('removed', this.#left);
    for (const reader of this.#readers) reader.close();
  }

  /**
   * Returns a reader, to be closed. Throws PositionError when `after` is of another form.
   *
   * @param after the block that the client has, as `HEIGHT-ID` or `HEIGHT`; undefined to begin with what comes next
   * @param turn waits until there is time to make some messages for the client: up to some milliseconds
   */
  open(after: string | undefined, turn?: () => Promise<void>): StreamReader<Seen> {
    const start = this.#startOf(after);
    const [first] = start.messages;
    const reader = new StreamReader<Seen>({
      first,
      seen: { block: start.position, pool: this.#pool.newest },
      after: (seen) => this.#after(seen),
      turn,
      onClose: () => {
        this.#readers.delete(reader);
        if (this.#readers.size === 0) this.#pool.clear();
      },
    });
    this.#readers.add(reader);
    return reader;
  }

  /** Returns where a client begins. Its block need not be in the chain. */
  #startOf(after: string | undefined): { messages: readonly Uint8Array[]; position: Position } {
    if (after === undefined) return this.#chain.fromTop('new');
    const { height, id } = readPosition(after);
    const position = id === undefined ? this.#chain.at(height) : { height, id };
    return position === undefined ? this.#chain.fromTop('unknown') : { messages: [], position };
  }

  /** Blocks come before transactions: a transaction of the pool is mined, then it leaves. */
  #after({ block, pool }: Seen): { messages: Uint8Array[]; seen: Seen } | undefined {
    const { messages, position } = this.#chain.after(block);
    if (messages.length > 0) return { messages, seen: { block: position, pool } };
    const changes = this.#pool.after(pool);
    return changes && { messages: changes.messages, seen: { block: position, pool: changes.seen } };
  }

  readonly #wake = (): void => {
    for (const reader of this.#readers) reader.wake();
  };

  readonly #reorganized = (event: { splitHeight: number; removed: BlockBundle[] }): void => {
    // The blocks in their place are told of next.
    this.#chain.forget(event.splitHeight, event.removed);
  };

  readonly #popped = ({ height, removed }: { height: number; removed: BlockBundle[] }): void => {
    this.#chain.forget(height, removed);
    this.#wake();
  };

  readonly #published = (transactions: readonly PoolTransaction[]): void => {
    if (this.#readers.size === 0) return;
    this.#pool.published(transactions);
    this.#wake();
  };

  readonly #left = (event: {
    readonly transaction: PoolTransaction;
    readonly reason: RemovalReason;
  }): void => {
    if (this.#readers.size === 0) return;
    this.#pool.removed(event.transaction, event.reason);
    this.#wake();
  };
}
