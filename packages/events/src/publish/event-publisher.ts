import type { Logger } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import { bytesEqual } from '@monero-node/codec';
import type { TxPool } from '@monero-node/mempool';
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import {
  AuthorizationError,
  PermissionViolationError,
  UserAuthenticationExpiredError,
  type NatsConnection,
} from '@nats-io/transport-node';
import { BackfillServer } from '../backfill/backfill-server.ts';
import { PAGE_BYTES } from '../backfill/protocol.ts';
import { connectEvents } from '../broker/connect.ts';
import { eventNames, type EventNames, type EventNaming } from '../broker/names.ts';
import { PART_BYTES } from '../broker/payload-parts.ts';
import { RefusedPulls } from '../broker/refused-pulls.ts';
import { payloadBytes } from '../broker/server-info.ts';
import { makeChainStream, makePoolStream } from '../broker/streams.ts';
import type { Encoding } from '../encoding/encoding.ts';
import { growingDelay } from '../growing-delay.ts';
import { ChainPublisher } from './chain-publisher.ts';
import { StreamMovedError } from './log-appender.ts';
import { PoolPublisher } from './pool-publisher.ts';
import { PoolQueue } from './pool-queue.ts';
import { PublisherState, type EventsStatus, type PublisherPart } from './publisher-state.ts';
import { OtherChainError } from './removals.ts';
import { SeenStream } from './seen-stream.ts';
import { WakeUp } from './wake-up.ts';

/** Milliseconds after which the stream is compared with the chain even if nothing happened. */
const CHECK_MS = 2000;
/** Longest pause while the stream is of another chain, milliseconds. */
const LAST_PAUSE_MS = 60_000;
/** Milliseconds that closing the connection may take. */
const CLOSE_MS = 2000;

export interface EventPublisherOptions extends EventNaming {
  /** `nats://HOST:PORT` or `tls://HOST:PORT`; those of a cluster, separated by commas. */
  readonly server: string;
  readonly credentialsFile?: string | undefined;
  readonly tlsCaFile?: string | undefined;
  readonly tlsCertFile?: string | undefined;
  readonly tlsKeyFile?: string | undefined;
  readonly encoding: Encoding;
  /** Height of the first block of a new stream; 100 below the top when absent. */
  readonly from?: number | undefined;
  /** Days that a new stream keeps its messages. */
  readonly keepDays: number;
  /** Servers of a cluster that keep each message of a new stream, 1 when absent. */
  readonly replicas?: number;
  /** Names this node in what it publishes. Nodes that share a stream need different names. */
  readonly publisher: string;
}

export interface EventPublisherDependencies {
  readonly chain: Blockchain;
  readonly pool: TxPool;
  readonly logger: Logger;
}

/** A connection and what publishes through it. */
interface Session {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly chain: ChainPublisher;
  readonly pool: PoolPublisher;
}

/**
 * Publishes what happens to the chain and the pool of a node. The node never waits for it: while the broker is away,
 * nothing is kept, because the chain says later what is missing.
 */
export class EventPublisher {
  readonly #options: EventPublisherOptions;
  readonly #deps: EventPublisherDependencies;
  readonly #names: EventNames;
  readonly #state: PublisherState;
  readonly #stopping = new AbortController();
  readonly #chainWake = new WakeUp();
  readonly #poolWake = new WakeUp();
  readonly #queue: PoolQueue;
  readonly #pulls: RefusedPulls;
  #running: Promise<void> | undefined;
  #backfill: BackfillServer | undefined;
  #mustCompare = true;
  /** The newest block when the stream of the chain was last found to end with it; undefined while it is of another chain. */
  #publishedTop: Uint8Array | undefined;
  readonly #poolStream = new SeenStream();

  /** Throws RangeError for a prefix or a name of a stream that NATS does not take. */
  constructor(options: EventPublisherOptions, dependencies: EventPublisherDependencies) {
    this.#options = options;
    this.#deps = dependencies;
    this.#names = eventNames(options);
    this.#pulls = new RefusedPulls(this.#names);
    const { server } = options;
    this.#state = new PublisherState({ server, ...this.#names }, dependencies);
    this.#queue = new PoolQueue(dependencies.pool, () => this.#poolWake.wake());
  }

  /** Begins to publish; resolves at once, whether or not the broker is there. */
  start(): Promise<void> {
    this.#queue.start();
    for (const event of ['blocks-added', 'reorg', 'popped'] as const) {
      this.#deps.chain.on(event, this.#chainChanged);
    }
    this.#running = this.#run().catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) this.#state.failed('connection', error);
    });
    return Promise.resolve();
  }

  /** What is published at this moment, and what keeps the rest. */
  get status(): EventsStatus {
    const counts = this.#backfill?.counts ?? { answered: 0, refused: 0 };
    return this.#state.status(this.#deps.chain.height, counts);
  }

  /** Finishes the messages under way, at most for seconds, and closes the connection. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#queue.stop();
    for (const event of ['blocks-added', 'reorg', 'popped'] as const) {
      this.#deps.chain.off(event, this.#chainChanged);
    }
    await this.#running;
  }

  /** The same as {@link EventPublisher.stop}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  readonly #chainChanged = (): void => this.#chainWake.wake();

  async #run(): Promise<void> {
    const { server, credentialsFile, encoding } = this.#options;
    const { tlsCaFile, tlsCertFile, tlsKeyFile } = this.#options;
    const { signal } = this.#stopping;
    const connection = await connectEvents({
      servers: server,
      credentialsFile,
      tlsCaFile,
      tlsCertFile,
      tlsKeyFile,
      signal,
      name: `monero-node ${this.#options.publisher}`,
      onFailure: (error) => this.#state.failed('connection', error),
    });
    this.#state.connected();
    const backfill = new BackfillServer(
      { encoding, pageBytes: () => payloadBytes(connection, PAGE_BYTES) },
      { chain: this.#deps.chain, logger: this.#deps.logger, report: this.#state.backfill },
    );
    this.#backfill = backfill;
    backfill.start(connection, this.#names);
    const session = await this.#open(connection);
    await Promise.all([
      this.#watch(connection),
      this.#loop('blocks', this.#chainWake, () => this.#publishChain(session)),
      this.#loop('pool', this.#poolWake, () => this.#publishPool(session)),
      this.#closeWhenStopped(connection, backfill),
    ]);
  }

  async #open(connection: NatsConnection): Promise<Session> {
    const { encoding, from, publisher } = this.#options;
    const { chain, pool } = this.#deps;
    const manager = await jetstreamManager(connection, { checkAPI: false });
    // The server may be another one after a reconnection.
    const partBytes = (): number => payloadBytes(connection, PART_BYTES);
    const shared = { names: this.#names, jetstream: jetstream(connection), manager };
    return {
      connection,
      manager,
      chain: new ChainPublisher(
        { encoding, from, partBytes },
        {
          ...shared,
          chain,
          connection,
          onTip: (tip, isStored) => this.#state.sawTip(tip, isStored),
        },
      ),
      pool: new PoolPublisher(
        { encoding, publisher },
        { ...shared, chain, pool, queue: this.#queue, pulls: this.#pulls },
      ),
    };
  }

  /** Compares everything after the broker was away. */
  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') this.#state.disconnected();
      if (status.type === 'error') {
        this.#pulls.saw(status.error);
        if (isRefusedAnswer(status.error)) this.#backfill?.refused(status.error);
      }
      // Told also about each attempt to connect again that fails.
      if (status.type === 'error' && isRefusal(status.error)) {
        this.#state.disconnected(status.error);
      }
      if (status.type !== 'reconnect') continue;
      this.#state.connected();
      this.#mustCompare = true;
      this.#chainWake.rouse();
      this.#poolWake.rouse();
    }
  }

  async #closeWhenStopped(connection: NatsConnection, backfill: BackfillServer): Promise<void> {
    const { signal } = this.#stopping;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await backfill.stop();
    const timer = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref());
    await Promise.race([connection.close(), timer]);
  }

  /** Runs a task when woken and now and then, and after a failure at growing intervals. */
  async #loop(part: PublisherPart, wake: WakeUp, task: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted;) {
      try {
        await task();
        failures = 0;
        this.#state.worked(part);
        await wake.sleep(CHECK_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof StreamMovedError)) this.#state.failed(part, error);
        // What only an operator can change is looked at less often: it takes many questions to find.
        const last = error instanceof OtherChainError ? LAST_PAUSE_MS : undefined;
        await wake.pause(growingDelay(failures, last), signal);
        failures = error instanceof StreamMovedError ? 0 : failures + 1;
      }
    }
  }

  async #publishChain({ connection, manager, chain }: Session): Promise<void> {
    const { isNew } = await makeChainStream({ connection, manager }, this.#names, this.#options);
    if (isNew) this.#state.made(this.#names.chainStream);
    const isCurrent = await chain.catchUp(this.#stopping.signal);
    this.#state.compared(!isCurrent);
    const { id } = this.#deps.chain.top;
    const before = this.#publishedTop;
    this.#publishedTop = isCurrent ? id : undefined;
    // The pool has the figures of the newest block.
    if (isCurrent && (before === undefined || !bytesEqual(before, id))) this.#poolWake.wake();
  }

  /** Makes the stream of the pool if it is missing, and has the pool compared with one that may lack what was published to it. */
  async #makePoolStream({ connection, manager, pool }: Session): Promise<void> {
    const { info, isNew } = await makePoolStream(
      { connection, manager },
      this.#names,
      this.#options,
    );
    if (isNew) this.#state.made(this.#names.poolStream);
    const { mustCompare, startsAnew } = this.#poolStream.look(info);
    if (mustCompare) this.#mustCompare = true;
    if (startsAnew) pool.streamChanged();
  }

  async #publishPool(session: Session): Promise<void> {
    try {
      await this.#bringPoolUp(session);
    } catch (error) {
      // The change that failed is in no queue any more, and a cluster in trouble may lose others.
      this.#mustCompare = true;
      throw error;
    }
  }

  async #bringPoolUp(session: Session): Promise<void> {
    const { pool } = session;
    const { signal } = this.#stopping;
    await this.#makePoolStream(session);
    const top = this.#publishedTop;
    if (top !== undefined && bytesEqual(top, this.#deps.chain.top.id)) {
      await pool.publishCounters();
      this.#poolStream.published();
    }
    if (this.#mustCompare || this.#queue.overflowed) {
      this.#mustCompare = false;
      await pool.compare(signal);
    }
    await pool.publishChanges(signal);
    const { refusal } = pool;
    if (refusal === undefined) this.#state.worked('long transactions');
    else this.#state.failed('long transactions', refusal);
  }
}

/** Returns whether the server refuses an answer to a request for older blocks, which nobody waits for. */
function isRefusedAnswer(error: Error): boolean {
  return (
    error instanceof PermissionViolationError &&
    error.operation === 'publish' &&
    error.subject.startsWith('_INBOX.')
  );
}

/** Returns whether the server refuses the login, which the loss of the connection does not say. */
function isRefusal(error: Error): boolean {
  return error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError;
}
