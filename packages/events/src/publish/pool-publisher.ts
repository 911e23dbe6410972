import { Yielder } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import { fromHex, toHex } from '@monero-node/codec';
import type { TxPool } from '@monero-node/mempool';
import type { JetStreamClient, JetStreamManager, StoredMsg } from '@nats-io/jetstream';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { readEncoding } from '../broker/entry-facts.ts';
import type { EventNames } from '../broker/names.ts';
import { readPoolState, type PoolEntryState } from '../broker/pool-state.ts';
import type { RefusedPulls } from '../broker/refused-pulls.ts';
import { isTooLong, isWrongLast, lastMessage } from '../broker/streams.ts';
import { decodeEvent, encodeEvent, type Encoding } from '../encoding/encoding.ts';
import { waitingFacts } from '../facts/transaction-facts.ts';
import { MESSAGE_VERSION } from '../messages/chain-message.ts';
import type { Counters, PoolMessage, PoolRemovalReason } from '../messages/pool-message.ts';
import type { PoolQueue } from './pool-queue.ts';

/** Attempts to publish what another node publishes at the same time. */
const ATTEMPTS = 3;
/** Most transactions that are remembered because they are too long to be published. */
const MAX_TOO_LONG = 10_000;

export interface PoolPublisherOptions {
  readonly encoding: Encoding;
  /** Names this node in what it publishes, so that it finds its own transactions again. */
  readonly publisher: string;
}

export interface PoolPublisherDependencies {
  readonly chain: Pick<Blockchain, 'store' | 'top' | 'height' | 'difficultyOf'>;
  readonly pool: Pick<TxPool, 'transaction' | 'publicIds'>;
  readonly queue: PoolQueue;
  readonly names: EventNames;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly pulls: RefusedPulls;
}

/** What is to be the last message on a subject. */
interface NextMessage {
  readonly type: string;
  readonly payload: Uint8Array;
  /** Whether the last message, or that there is none, makes it needless. */
  readonly isSaid: (last: StoredMsg | undefined) => boolean;
}

/**
 * Keeps the stream of the pool: the last message on the subject of each transaction says whether it is in the pool. Only
 * public transactions are published.
 */
export class PoolPublisher {
  readonly #options: PoolPublisherOptions;
  readonly #deps: PoolPublisherDependencies;
  #countersOf = '';
  /** The transactions of the pool that are too long to be published. */
  readonly #tooLong = new Set<string>();
  /** The refusal of the last of them. */
  #refusal: unknown;

  constructor(options: PoolPublisherOptions, dependencies: PoolPublisherDependencies) {
    this.#options = options;
    this.#deps = dependencies;
  }

  /** Why there are transactions of the pool that cannot be published, because they are too long; undefined when there are none. */
  get refusal(): unknown {
    return this.#tooLong.size === 0 ? undefined : this.#refusal;
  }

  /** Compares the whole pool with the stream and publishes the differences, but for transactions that are too long. Rejects with errors of the broker. */
  async compare(signal: AbortSignal): Promise<void> {
    const { queue, pool } = this.#deps;
    queue.clear();
    this.#tooLong.clear();
    const published = await readPoolState(this.#deps, signal);
    const yielder = new Yielder();
    for (const id of pool.publicIds()) {
      const key = toHex(id);
      if (published.get(key)?.isIn !== true) await this.#addUnlessTooLong(id);
      published.delete(key);
      await yielder.yieldIfDue();
      if (signal.aborted) return;
    }
    for (const [key, state] of published) {
      const reason = this.#absence(key, state);
      if (reason !== undefined) await this.#remove(fromHex(key), reason);
      if (signal.aborted) return;
    }
  }

  /** Publishes the changes that wait. Rejects as `compare` does. */
  async publishChanges(signal: AbortSignal): Promise<void> {
    const { queue } = this.#deps;
    for (let change = queue.take(); change !== undefined; change = queue.take()) {
      const { id, reason } = change;
      if (reason === undefined) {
        await this.#addUnlessTooLong(id);
      } else {
        this.#tooLong.delete(toHex(id));
        await this.#remove(id, reason);
      }
      if (signal.aborted) return;
    }
  }

  /** Publishes the figures of the chain if its newest block is another one than last time. */
  async publishCounters(): Promise<void> {
    const { chain, names } = this.#deps;
    const id = toHex(chain.top.id);
    if (id === this.#countersOf) return;
    const message = chainCounters(chain);
    const isDone = await this.#put(names.countersSubject, {
      type: message.type,
      payload: encodeEvent(message, this.#options.encoding),
      // A node that is behind has nothing to say; nor has one that follows another branch of as much work.
      isSaid: (last) => workOf(last) >= chain.top.cumulativeDifficulty,
    });
    if (isDone) this.#countersOf = id;
  }

  /** Forgets what the stream had, because it is another one than before, or was emptied. */
  streamChanged(): void {
    this.#countersOf = '';
  }

  /** Returns why a transaction that the stream has is not in our pool; undefined when only another node can know. */
  #absence(key: string, { isIn, publisher }: PoolEntryState): PoolRemovalReason | undefined {
    if (!isIn) return undefined;
    if (this.#deps.chain.store.txLocation(fromHex(key)) !== undefined) return 'mined';
    return publisher === this.#options.publisher ? 'evicted' : undefined;
  }

  async #add(id: Uint8Array): Promise<void> {
    const transaction = this.#deps.pool.transaction(id);
    if (transaction?.broadcast !== true) return;
    await this.#putChange(id, {
      version: MESSAGE_VERSION,
      type: 'pool.added',
      received_at: transaction.receiveTime,
      tx: waitingFacts(transaction),
    });
  }

  #remove(id: Uint8Array, reason: PoolRemovalReason): Promise<void> {
    return this.#putChange(id, { version: MESSAGE_VERSION, type: 'pool.removed', id, reason });
  }

  /**
   * Publishes one transaction. That it is too long does not keep the others from being published, and it is not tried again: anybody
   * can send one.
   */
  async #addUnlessTooLong(id: Uint8Array): Promise<void> {
    const key = toHex(id);
    if (this.#tooLong.has(key)) return;
    try {
      await this.#add(id);
    } catch (error) {
      if (!isTooLong(error)) throw error;
      this.#refusal = error;
      if (this.#tooLong.size < MAX_TOO_LONG) this.#tooLong.add(key);
    }
  }

  /** Publishes what happened to a transaction unless the last message about it says the same. */
  async #putChange(id: Uint8Array, message: PoolMessage): Promise<void> {
    await this.#put(this.#deps.names.poolSubject(toHex(id)), {
      type: message.type,
      payload: encodeEvent(message, this.#options.encoding),
      isSaid: (last) =>
        last === undefined ? message.type === 'pool.removed' : typeOf(last) === message.type,
    });
  }

  /**
   * Publishes a message unless the last one on its subject makes it needless. Returns false when others have published each time.
   *
   * It follows the last one, so that of several nodes one publishes. It has no id: a killed server of a cluster applies its log again to a stream
   * that keeps the last messages only. It would take the older ones and leave out the last ones, which it knows by their ids, and say the
   * opposite from then on. Seen with nats-server 2.9.10.
   */
  async #put(subject: string, { type, payload, isSaid }: NextMessage): Promise<boolean> {
    const { names, jetstream, manager } = this.#deps;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const last = await lastMessage(manager, names.poolStream, subject);
      if (isSaid(last)) return true;
      try {
        await jetstream.publish(subject, payload, {
          headers: this.#headers(type),
          expect: { lastSubjectSequence: last?.seq ?? 0 },
        });
        return true;
      } catch (error) {
        if (!isWrongLast(error)) throw error;
      }
    }
    return false;
  }

  #headers(type: string): MsgHdrs {
    const all = headers();
    all.set('Monero-Type', type);
    all.set('Monero-Encoding', this.#options.encoding);
    all.set('Monero-Publisher', this.#options.publisher);
    return all;
  }
}

function typeOf(message: StoredMsg | undefined): string {
  return message?.header.get('Monero-Type') ?? '';
}

/** Returns the cumulative difficulty that figures of a chain name; -1 where they are none, or are malformed. */
function workOf(message: StoredMsg | undefined): bigint {
  if (message === undefined) return -1n;
  try {
    const event = decodeEvent(message.data, typeOf(message), readEncoding(message.header));
    return event.type === 'counters' ? BigInt(event.cumulative_difficulty) : -1n;
  } catch {
    return -1n;
  }
}

/** Returns the figures of a chain. */
function chainCounters(chain: Pick<Blockchain, 'top' | 'height' | 'difficultyOf'>): Counters {
  const { top } = chain;
  return {
    version: MESSAGE_VERSION,
    type: 'counters',
    height: chain.height,
    top_id: top.id,
    timestamp: top.timestamp,
    difficulty: String(chain.difficultyOf(top.height)),
    cumulative_difficulty: String(top.cumulativeDifficulty),
    generated_coins: top.generatedCoins,
    total_txs: top.cumulativeTxCount,
    rct_outputs: top.cumulativeRctOutputs,
  };
}
