import {
  monotonicMilliseconds,
  systemSeconds,
  type Logger,
  type MillisecondClock,
  type SecondClock,
} from '@monero-node/base';
import type { BackfillReport } from '../backfill/backfill-server.ts';
import type { StreamTip } from '../broker/entry-facts.ts';
import { reasonOf, Trouble } from '../trouble.ts';
import { allowAdvice, publishWarning } from './advice.ts';

/** Milliseconds that the stream may be ahead before there is a line about it: of two nodes, one has each block later. */
const BEHIND_MS = 60_000;

/** What a publisher does at this moment. */
export interface EventsStatus {
  /** The broker, as the operator named it. */
  readonly server: string;
  readonly isConnected: boolean;
  /** Height of the newest block of the stream, as this node saw it last; undefined before it has, and for an empty stream. */
  readonly publishedHeight: number | undefined;
  /** Blocks of this node's chain above that one; all of them for an empty stream; undefined before it has seen the stream. */
  readonly lag: number | undefined;
  /** When the broker acknowledged a block last, Unix seconds; undefined when it has not since the start. */
  readonly acknowledgedAt: number | undefined;
  /** Streams that were missing at the broker and were made since the start. */
  readonly streamsMade: number;
  /** Whether the stream has a chain with more work, for which the node waits. */
  readonly isBehind: boolean;
  /** Why blocks or changes of the pool are not published, and what to do; undefined while they are. */
  readonly problem: string | undefined;
  readonly backfill: {
    /** Whether requests for older blocks can come in. */
    readonly isServing: boolean;
    /** Requests since the start, by whether they got blocks. */
    readonly answered: number;
    readonly refused: number;
  };
}

export interface PublisherStateOptions {
  readonly server: string;
  readonly chainStream: string;
  readonly backfillSubject: string;
}

export interface PublisherStateDependencies {
  readonly logger: Logger;
  readonly now?: SecondClock;
  readonly elapsed?: MillisecondClock;
}

/** The parts of a publisher that fail and work apart. */
export type PublisherPart = 'connection' | 'blocks' | 'pool' | 'long transactions';

/** Keeps what a publisher does, and writes a line for each change of it. */
export class PublisherState {
  readonly backfill: BackfillReport;
  readonly #options: PublisherStateOptions;
  readonly #logger: Logger;
  readonly #now: SecondClock;
  readonly #elapsed: MillisecondClock;
  readonly #trouble: Trouble;
  #isServing = false;
  #isConnected = false;
  #lost: unknown;
  #tip: StreamTip | undefined;
  #hasTip = false;
  #hasWorked = false;
  #acknowledgedAt: number | undefined;
  #behindSince: number | undefined;
  #isBehindTold = false;
  #streamsMade = 0;

  constructor(
    options: PublisherStateOptions,
    { logger, now = systemSeconds, elapsed = monotonicMilliseconds }: PublisherStateDependencies,
  ) {
    this.#options = options;
    this.#logger = logger;
    this.#now = now;
    this.#elapsed = elapsed;
    const { server } = options;
    this.#trouble = new Trouble(
      {
        warning: (error) => publishWarning(error, server),
        relief: `Events are published again to ${server}.`,
      },
      logger,
    );
    this.backfill = this.#backfillReport();
  }

  connected(): void {
    this.#isConnected = true;
    this.#lost = undefined;
    this.#trouble.worked('connection');
  }

  /** @param error why there is no connection; undefined when that is not known */
  disconnected(error?: unknown): void {
    if (this.#isConnected) this.#logger.debug('events: the connection is lost');
    this.#isConnected = false;
    if (error !== undefined) this.#lost = error;
  }

  failed(part: PublisherPart, error: unknown): void {
    const isLost = part !== 'connection' && !this.#isConnected;
    // Without a connection, everything fails because it takes too long.
    const cause = this.#lost ?? new Error('the connection to the broker is lost');
    this.#trouble.failed(part, isLost ? cause : error);
  }

  /** @param part of which all is published that there is */
  worked(part: PublisherPart): void {
    this.#trouble.worked(part);
    if (part !== 'blocks' || this.#hasWorked || this.#behindSince !== undefined) return;
    this.#hasWorked = true;
    const end = this.#tip === undefined ? 'is empty' : `ends with block ${this.#tip.height}`;
    const { server, chainStream } = this.#options;
    this.#logger.info(`Events are published to ${server}: the stream ${chainStream} ${end}.`);
  }

  /** Takes the newest block of the stream. */
  sawTip(tip: StreamTip | undefined, isStored: boolean): void {
    this.#tip = tip;
    this.#hasTip = true;
    if (isStored) this.#acknowledgedAt = this.#now();
  }

  /** @param isBehind whether the stream has a chain with more work than ours */
  compared(isBehind: boolean): void {
    const now = this.#elapsed();
    this.#behindSince = isBehind ? (this.#behindSince ?? now) : undefined;
    const isLong = this.#behindSince !== undefined && now - this.#behindSince >= BEHIND_MS;
    if (isBehind ? this.#isBehindTold || !isLong : !this.#isBehindTold) return;
    this.#isBehindTold = isBehind;
    const { chainStream } = this.#options;
    this.#logger.info(
      isBehind
        ? `Events are not published for now: the stream ${chainStream} ends with block ${this.#tip?.height} of a chain with more work. This node waits until it has that chain; if that is never, the stream is of another network.`
        : `Events are published again: this node has the newest block of the stream ${chainStream}.`,
    );
  }

  /** @param stream was missing at the broker */
  made(stream: string): void {
    this.#streamsMade++;
    this.#logger.info(`Events: the stream ${stream} was missing at the broker and is made.`);
  }

  /** Returns what the publisher does, with the counts of its back-fill. */
  status(
    height: number,
    counts: Pick<EventsStatus['backfill'], 'answered' | 'refused'>,
  ): EventsStatus {
    const published = this.#tip?.height;
    return {
      server: this.#options.server,
      isConnected: this.#isConnected,
      publishedHeight: published,
      lag: this.#hasTip ? Math.max(0, height - 1 - (published ?? -1)) : undefined,
      acknowledgedAt: this.#acknowledgedAt,
      streamsMade: this.#streamsMade,
      isBehind: this.#behindSince !== undefined,
      problem: this.#trouble.problem,
      backfill: { isServing: this.#isServing && this.#isConnected, ...counts },
    };
  }

  #backfillReport(): BackfillReport {
    const { backfillSubject } = this.#options;
    const trouble = new Trouble(
      {
        warning: (error) =>
          `Consumers get no older blocks from this node: ${reasonOf(error)}. ` +
          `${allowAdvice(error) ?? `Allow this login to subscribe to ${backfillSubject}`}; the node tries again by itself (docs/operating/events.md).`,
        relief: 'Consumers get older blocks from this node again.',
      },
      this.#logger,
    );
    return {
      failed: (error) => {
        this.#isServing = false;
        trouble.failed('back-fill', error);
      },
      worked: () => {
        this.#isServing = true;
        trouble.worked('back-fill');
      },
    };
  }
}
