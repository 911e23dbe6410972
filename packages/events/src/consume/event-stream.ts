import { setTimeout as delay } from 'node:timers/promises';
import { Mutex, silentLogger, type Logger } from '@monero-node/base';
import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { NatsConnection } from '@nats-io/transport-node';
import { eventNames, type EventNames, type EventNaming } from '../broker/names.ts';
import { growingDelay } from '../growing-delay.ts';
import { ChainConsumer } from './chain-consumer.ts';
import type { ChainHandler, PoolHandler } from './handlers.ts';
import { followPool } from './pool-consumer.ts';

export interface EventStreamOptions extends EventNaming {
  /** Height of the first block for a consumer that has none; 0 when absent. */
  readonly from?: number;
}

const OPTIONS: OptionTable<EventStreamOptions> = {
  prefix: NEEDED,
  stream: NEEDED,
  from: OPTIONAL,
};

export interface EventStreamDependencies {
  /** See `connectEvents`. It is not closed. */
  readonly connection: NatsConnection;
  readonly handler: ChainHandler;
  /** Absent: the pool is not followed. */
  readonly pool?: PoolHandler;
  readonly logger?: Logger;
}

/**
 * Follows the chain, and the pool if wanted, through a broker: a block is applied on its parent, and reverted before another
 * one takes its place, whatever happens to the broker, the nodes and this program. Blocks that the stream does not keep
 * any more come from a node.
 */
export class EventStream {
  readonly #names: EventNames;
  readonly #deps: EventStreamDependencies;
  readonly #logger: Logger;
  readonly #calls = new Mutex();
  readonly #chain: ChainConsumer;
  readonly #stopping = new AbortController();
  /** Aborted when the connection is back: everything begins anew from where the handler is. */
  #session = new AbortController();
  #running: Promise<unknown> | undefined;

  /** Throws RangeError for a prefix or a name of a stream that NATS does not take, and OptionError for an unknown option. */
  constructor(options: EventStreamOptions, dependencies: EventStreamDependencies) {
    checkOptions('EventStream', options, OPTIONS);
    this.#names = eventNames(options);
    this.#deps = dependencies;
    this.#logger = dependencies.logger ?? silentLogger;
    const { connection, handler } = dependencies;
    this.#chain = new ChainConsumer(
      { names: this.#names, from: options.from ?? 0 },
      { connection, handler, calls: this.#calls },
    );
  }

  /** Begins to follow; resolves at once. */
  start(): Promise<void> {
    const { connection, pool } = this.#deps;
    this.#running = Promise.all([
      this.#loop('chain', (signal) => this.#chain.follow(signal)),
      ...(pool === undefined
        ? []
        : [
            this.#loop('pool', (signal) =>
              followPool(this.#names, { connection, handler: pool, calls: this.#calls }, signal),
            ),
          ]),
    ]);
    void this.#watch();
    return Promise.resolve();
  }

  /** Finishes the call of a handler that is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#calls.idle();
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#deps.connection.status()) {
      if (type === 'reconnect') {
        const before = this.#session;
        this.#session = new AbortController();
        before.abort();
      }
      if (this.#stopping.signal.aborted) return;
    }
  }

  async #loop(name: string, task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stopping = this.#stopping.signal;
    for (let failures = 0; !stopping.aborted; failures++) {
      const startedAt = performance.now();
      try {
        await task(AbortSignal.any([stopping, this.#session.signal]));
      } catch (error) {
        if (stopping.aborted) return;
        this.#logger.debug(`events: ${name}: ${String(error)}`);
      }
      if (performance.now() - startedAt > growingDelay(failures)) failures = 0;
      await delay(growingDelay(failures), undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}
