import { setTimeout as delay } from 'node:timers/promises';
import { Mutex, stderrLogger, type Logger } from '@monero-node/base';
import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { NatsConnection } from '@nats-io/transport-node';
import { eventNames, type EventNames, type EventNaming } from '../broker/names.ts';
import { RefusedPulls } from '../broker/refused-pulls.ts';
import { watchConnection } from '../broker/watch-status.ts';
import { growingDelay } from '../growing-delay.ts';
import { reasonOf, Trouble } from '../trouble.ts';
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
  /** Absent: warnings, and the line that says that all is well again, go to standard error. */
  readonly logger?: Logger;
  /** Is told of each failure, in place of the logger. It must not throw. */
  readonly onTrouble?: (error: unknown) => void;
}

/** Longest pause between attempts, milliseconds: what was away is met again within 5 s. */
const LAST_PAUSE_MS = 3000;
/** Milliseconds that following may stand still before there is a line about it. */
const GRACE_MS = 2000;

/**
 * Follows the chain, and the pool if wanted, through a broker: a block is applied on its parent, and reverted before another
 * one takes its place, whatever happens to the broker, the nodes and this program. Blocks that the stream does not keep
 * any more come from a node.
 */
export class EventStream {
  readonly #names: EventNames;
  readonly #deps: EventStreamDependencies;
  readonly #trouble: Pick<Trouble, 'failed' | 'worked'>;
  readonly #calls = new Mutex();
  readonly #pulls: RefusedPulls;
  readonly #chain: ChainConsumer;
  readonly #stopping = new AbortController();
  /** Aborted when the connection is back: everything begins anew from where the handler is. */
  #session = new AbortController();
  #running: Promise<unknown> | undefined;

  /** Throws RangeError for a prefix or a name of a stream that NATS does not take, and OptionError for an unknown option. */
  constructor(options: EventStreamOptions, dependencies: EventStreamDependencies) {
    checkOptions('EventStream', options, OPTIONS);
    this.#names = eventNames(options);
    this.#pulls = new RefusedPulls(this.#names);
    this.#deps = dependencies;
    this.#trouble = troubleOf(options, dependencies);
    const { connection, handler } = dependencies;
    this.#chain = new ChainConsumer(
      { names: this.#names, from: options.from ?? 0 },
      { connection, handler, calls: this.#calls, pulls: this.#pulls },
    );
  }

  /** Begins to follow; resolves at once. */
  start(): Promise<void> {
    const { connection, pool } = this.#deps;
    this.#running = Promise.all([
      this.#loop('chain', (signal, onCurrent) => this.#chain.follow(signal, onCurrent)),
      ...(pool === undefined
        ? []
        : [
            this.#loop('pool', (signal, onCurrent) =>
              followPool(
                this.#names,
                { connection, handler: pool, calls: this.#calls, pulls: this.#pulls },
                signal,
                onCurrent,
              ),
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

  /** The same as {@link EventStream.stop}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #watch(): Promise<void> {
    const onReconnect = (): void => {
      const before = this.#session;
      this.#session = new AbortController();
      before.abort();
    };
    const taker = { pulls: this.#pulls, trouble: this.#trouble, onReconnect };
    return watchConnection(this.#deps.connection, this.#stopping.signal, taker);
  }

  /** Runs a task again and again. It calls its second argument whenever it has taken all that there is. */
  async #loop(
    name: string,
    task: (signal: AbortSignal, onCurrent: () => void) => Promise<void>,
  ): Promise<void> {
    const stopping = this.#stopping.signal;
    const onCurrent = (): void => this.#trouble.worked(name);
    for (let failures = 0; !stopping.aborted; failures++) {
      const startedAt = performance.now();
      try {
        await task(AbortSignal.any([stopping, this.#session.signal]), onCurrent);
      } catch (error) {
        if (stopping.aborted) return;
        this.#trouble.failed(name, error);
      }
      const pause = growingDelay(failures, LAST_PAUSE_MS);
      if (performance.now() - startedAt > pause) failures = 0;
      await delay(growingDelay(failures, LAST_PAUSE_MS), undefined, { signal: stopping }).catch(
        () => undefined,
      );
    }
  }
}

/** Returns what is told of failures. */
function troubleOf(
  { stream }: EventStreamOptions,
  { logger, onTrouble }: EventStreamDependencies,
): Pick<Trouble, 'failed' | 'worked'> {
  if (onTrouble !== undefined) {
    return { failed: (_part, error) => onTrouble(error), worked: () => undefined };
  }
  return new Trouble(
    {
      warning: (error) =>
        `Events of ${stream} are not read: ${reasonOf(error)}. It is tried again until it works (docs/operating/events.md).`,
      relief: `Events of ${stream} are read again.`,
      grace: GRACE_MS,
    },
    logger ?? stderrLogger(),
  );
}
