import { setTimeout as delay } from 'node:timers/promises';
import { silentLogger } from '@monero-node/base';
import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { type ChainRule, chainRule, WatchError } from '@monero-node/rpc-client/watch';
import type { NatsConnection } from '@nats-io/transport-node';
import { eventNames, type EventNames, type EventNaming } from '../broker/names.ts';
import { EventStream } from '../consume/event-stream.ts';
import { growingDelay } from '../growing-delay.ts';
import { compareGenesis, firstPosition, newestBlock } from './first-position.ts';
import { WatchedChain, type StreamEvent, type StreamPosition } from './watched-chain.ts';

/** Options of {@link watchStream}. */
export interface WatchStreamOptions extends EventNaming {
  /** See `connectEvents`. It is not closed. */
  readonly connection: NatsConnection;
  /** Where to go on: that of an event of this function or of `watchBlocks`. Checked, for it comes from a store. */
  readonly position?: StreamPosition | undefined;
  /** The height of the first block to tell, when there is no position; by default that of the next block to come. */
  readonly from?: number | undefined;
  /** How many blocks must there be from a block on, itself included, before it is told; 1 by default. */
  readonly confirmations?: number | undefined;
  /** Most blocks that a reorganization may replace, 1 to 1000; 100 by default. A deeper one is a WatchError. */
  readonly depth?: number | undefined;
  /** Ends following, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Is told of each failure that may pass, such as a broker that is away: following goes on meanwhile. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
}

const OPTIONS: OptionTable<WatchStreamOptions> = {
  prefix: NEEDED,
  stream: NEEDED,
  connection: NEEDED,
  position: OPTIONAL,
  from: OPTIONAL,
  confirmations: OPTIONAL,
  depth: OPTIONAL,
  signal: OPTIONAL,
  onTrouble: OPTIONAL,
};

/** Longest pause between attempts, milliseconds. */
const LAST_PAUSE_MS = 3000;

/**
 * Follows the chain through a broker, as `watchBlocks` of rpc-client does over RPC: returns the blocks from a height on, as they come,
 * and those that a reorganization takes away, the newest first. Blocks that the stream does not keep any more come from a node that
 * publishes.
 *
 * Whatever becomes of the broker and the nodes is told to `onTrouble`, and tried again. The next blocks are read when the events of the last
 * ones were taken. Leaving the loop ends it.
 *
 * Throws OptionError for an unknown or a missing option, RangeError for numbers out of bounds and for names that NATS does not take, and
 * WatchError with the code `bad-position`. The iterator rejects with the reason of the signal; with WatchError when the stream has another
 * chain or a reorganization is too deep; with what `onTrouble` throws; and with Error when the connection was closed.
 */
export function watchStream(options: WatchStreamOptions): AsyncGenerator<StreamEvent, void, void> {
  checkOptions('watchStream', options, OPTIONS);
  const names = eventNames(options);
  const { connection, prefix, stream, signal, onTrouble, ...chain } = options;
  const rule = chainRule(chain);
  const sequence = readSequence(options.position);
  const watcher = new StreamWatcher({ connection, prefix, stream }, names, {
    signal: signal ?? new AbortController().signal,
    onTrouble: onTrouble ?? (() => undefined),
  });
  const start = rule.position && { ...rule.position, sequence };
  return watcher.events(start, rule);
}

/** Returns the sequence of a position. Throws WatchError for something else in its place. */
function readSequence(position: StreamPosition | undefined): number | undefined {
  const sequence: unknown = position?.sequence;
  if (sequence === undefined) return undefined;
  if (typeof sequence === 'number' && Number.isSafeInteger(sequence) && sequence > 0)
    return sequence;
  throw new WatchError('bad-position', 'position: sequence is not that of a message');
}

interface WatcherDependencies {
  readonly signal: AbortSignal;
  readonly onTrouble: (error: unknown) => void;
}

/** Hands the events of one stream to one program. */
class StreamWatcher {
  readonly #source: Pick<WatchStreamOptions, 'connection' | 'prefix' | 'stream'>;
  readonly #names: EventNames;
  readonly #deps: WatcherDependencies;
  /** A write resolves when the event before it was taken: so the reader sets the pace. */
  readonly #channel = new TransformStream<StreamEvent, StreamEvent>();
  readonly #writer = this.#channel.writable.getWriter();
  readonly #ending = new AbortController();

  constructor(
    source: Pick<WatchStreamOptions, 'connection' | 'prefix' | 'stream'>,
    names: EventNames,
    dependencies: WatcherDependencies,
  ) {
    this.#source = source;
    this.#names = names;
    this.#deps = dependencies;
    // Whoever reads meets the error.
    this.#writer.closed.catch(() => undefined);
  }

  /** @param position undefined for that before the first block of the rule */
  async *events(
    position: StreamPosition | undefined,
    rule: ChainRule,
  ): AsyncGenerator<StreamEvent, void, void> {
    const { signal } = this.#deps;
    const abort = (): void => this.#fail(signal.reason);
    signal.addEventListener('abort', abort);
    let stream: EventStream | undefined;
    try {
      signal.throwIfAborted();
      const start = await this.#begin(position, rule);
      const { connection, ...naming } = this.#source;
      const handler = new WatchedChain(start, rule, {
        tell: (event) => this.#writer.write(event),
        fail: (error) => this.#fail(error),
        compareGenesis: () => compareGenesis(connection, this.#names, start.genesis),
      });
      stream = new EventStream(
        { ...naming, from: start.from },
        { connection, handler, logger: silentLogger, onTrouble: (error) => this.#trouble(error) },
      );
      await stream.start();
      yield* this.#channel.readable;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#fail(new Error('nobody reads the events any more'));
      await stream?.stop();
    }
  }

  /** Resolves to where following begins; tries until that is known. */
  async #begin(position: StreamPosition | undefined, rule: ChainRule): Promise<StreamPosition> {
    if (position?.sequence !== undefined) return position;
    const { signal } = this.#ending;
    for (let failures = 0; ; failures++) {
      try {
        const start = await this.#tryToBegin(position, rule);
        if (start !== undefined) return start;
        failures = 0;
      } catch (error) {
        this.#trouble(error);
      }
      // Rejects with the reason of the end.
      await delay(growingDelay(failures, LAST_PAUSE_MS), undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      );
    }
  }

  /** Resolves to where following begins; undefined while the chain is not there yet. */
  async #tryToBegin(
    position: StreamPosition | undefined,
    rule: ChainRule,
  ): Promise<StreamPosition | undefined> {
    const { connection } = this.#source;
    if (position === undefined) return firstPosition(connection, this.#names, rule);
    // A stream that lags behind what was followed over RPC takes nothing back.
    const { cumulativeDifficulty } = await newestBlock(connection, this.#names);
    if (cumulativeDifficulty >= BigInt(position.work)) return position;
    throw new WatchError('left', 'the newest block of the stream has less work than the position');
  }

  /** Tells of a failure, unless it is why everything ends. */
  #trouble(error: unknown): void {
    if (this.#ending.signal.aborted) return;
    if (this.#source.connection.isClosed()) {
      this.#fail(new Error('the connection to the broker was closed', { cause: error }));
      return;
    }
    try {
      this.#deps.onTrouble(error);
    } catch (fault) {
      this.#fail(fault);
    }
  }

  /** Ends the iterator with an error; the first one counts. */
  #fail(error: unknown): void {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort(error);
    this.#writer.abort(error).catch(() => undefined);
  }
}
