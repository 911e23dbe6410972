import { setTimeout as delay } from 'node:timers/promises';
import { Mutex, Yielder, type Logger } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import { concatBytes, DecodeError, toHex } from '@monero-node/codec';
import { headers, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { growingDelay } from '../growing-delay.ts';
import type { EventNames } from '../broker/names.ts';
import { cutIntoParts } from '../broker/payload-parts.ts';
import { encodeBlockAdded } from '../encoding/encode-block.ts';
import type { Encoding } from '../encoding/encoding.ts';
import { blockFacts } from '../facts/block-facts.ts';
import {
  decodeBackfillRequest,
  PAGE_BLOCKS,
  type BackfillFailure,
  type BackfillRequest,
} from './protocol.ts';

/** Longest pause before a subscription is made again, milliseconds. */
const LAST_PAUSE_MS = 3000;
/** Requests that may wait for their turn. */
const MAX_WAITING = 16;

interface Page {
  readonly blocks: readonly Uint8Array[];
  /** Of the one block; 0 of 1 for a page of whole blocks. */
  readonly part: number;
  readonly parts: number;
}

export interface BackfillServerOptions {
  readonly encoding: Encoding;
  /** Returns about the most bytes of an answer. */
  readonly pageBytes: () => number;
}

/** Told whether requests can come in. */
export interface BackfillReport {
  failed(error: unknown): void;
  worked(): void;
}

export interface BackfillServerDependencies {
  readonly chain: Pick<Blockchain, 'store'>;
  readonly logger: Logger;
  readonly report: BackfillReport;
}

/** Answers requests for older blocks, one at a time. Of several nodes, one gets each request. */
export class BackfillServer {
  readonly #options: BackfillServerOptions;
  readonly #chain: Pick<Blockchain, 'store'>;
  readonly #logger: Logger;
  readonly #report: BackfillReport;
  readonly #turns = new Mutex();
  readonly #stopping = new AbortController();
  #waiting = 0;
  /** The last block that was longer than an answer: its parts are asked for one after another. */
  #long: { readonly id: string; readonly bytes: Uint8Array } | undefined;
  #subscription: Subscription | undefined;
  #running: Promise<void> | undefined;
  /** Ends the wait for the end of the subscription. */
  #end: (error: unknown) => void = () => undefined;
  #answered = 0;
  #refused = 0;

  constructor(
    options: BackfillServerOptions,
    { chain, logger, report }: BackfillServerDependencies,
  ) {
    this.#options = options;
    this.#chain = chain;
    this.#logger = logger;
    this.#report = report;
  }

  /** Requests so far, by whether they got blocks. */
  get counts(): { readonly answered: number; readonly refused: number } {
    return { answered: this.#answered, refused: this.#refused };
  }

  /** Begins to answer. A subscription that the server refuses or ends is made again at growing intervals. */
  start(connection: NatsConnection, { backfillSubject }: EventNames): void {
    this.#running = this.#serve(connection, backfillSubject);
  }

  /** Takes an answer that the server refuses: the subscription is made again later, so that other nodes get the requests meanwhile. */
  refused(error: Error): void {
    this.#subscription?.unsubscribe();
    this.#end(error);
  }

  /** Takes no more requests and waits for the one under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#subscription?.unsubscribe();
    this.#end(undefined);
    await this.#running;
    await this.#turns.idle();
  }

  /** Never rejects. */
  async #serve(connection: NatsConnection, subject: string): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted && !connection.isClosed(); failures++) {
      const startedAt = performance.now();
      const error = await this.#serveUntilRefused(connection, subject);
      if (signal.aborted) return;
      this.#report.failed(error);
      if (performance.now() - startedAt > LAST_PAUSE_MS) failures = 0;
      await delay(growingDelay(failures, LAST_PAUSE_MS), undefined, { signal }).catch(
        () => undefined,
      );
    }
  }

  /** Resolves to the reason why the subscription is over. */
  #serveUntilRefused(connection: NatsConnection, subject: string): Promise<unknown> {
    return new Promise((resolve) => {
      let isOver = false;
      const end = (error: unknown): void => {
        isOver = true;
        resolve(error);
      };
      this.#end = end;
      try {
        this.#subscription = connection.subscribe(subject, {
          queue: 'monero-node',
          callback: (error, message) => {
            if (error === null) this.#receive(message);
            else end(error);
          },
        });
      } catch (error) {
        end(error);
        return;
      }
      void this.#confirm(connection, () => isOver);
    });
  }

  /**
   * Reports that requests can come in, unless the server refuses the subscription. Where the connection is lost before, the client
   * library subscribes again by itself. Never rejects.
   */
  async #confirm(connection: NatsConnection, isOver: () => boolean): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !isOver() && !signal.aborted && !connection.isClosed(); failures++) {
      try {
        // A refusal comes before the answer to this.
        await connection.flush();
        if (!isOver()) this.#report.worked();
        return;
      } catch {
        await delay(growingDelay(failures, LAST_PAUSE_MS), undefined, { signal }).catch(
          () => undefined,
        );
      }
    }
  }

  #receive(message: Msg): void {
    if (message.reply === undefined) return;
    if (this.#waiting >= MAX_WAITING) {
      this.#refuse(message, 'busy');
      return;
    }
    this.#waiting++;
    void this.#turns.run(() => this.#answer(message)).finally(() => this.#waiting--);
  }

  /** Never rejects. */
  async #answer(message: Msg): Promise<void> {
    try {
      const page = await this.#page(decodeBackfillRequest(message.data));
      if (page === undefined) this.#refuse(message, 'unknown-block');
      else this.#send(message, page);
    } catch (error) {
      this.#logger.debug(`events: back-fill: ${String(error)}`);
      this.#refuse(message, error instanceof DecodeError ? 'bad-request' : 'failed');
    }
  }

  #send(message: Msg, { blocks, part, parts }: Page): void {
    const all = headers();
    all.set('Monero-Encoding', this.#options.encoding);
    all.set('Monero-Lengths', blocks.map(({ length }) => length).join(','));
    all.set('Monero-Part', String(part));
    all.set('Monero-Parts', String(parts));
    message.respond(concatBytes(...blocks), { headers: all });
    this.#answered++;
  }

  #refuse(message: Msg, failure: BackfillFailure): void {
    const all = headers();
    all.set('Monero-Error', failure);
    message.respond(new Uint8Array(), { headers: all });
    this.#refused++;
  }

  /** Resolves to undefined when the last block wanted is not in our chain. */
  async #page(request: Required<BackfillRequest>): Promise<Page | undefined> {
    const { store } = this.#chain;
    const { from, to, part } = request;
    const pageBytes = this.#options.pageBytes();
    const isOurs = (): boolean => {
      const meta = store.blockMeta(to.height);
      return meta !== undefined && toHex(meta.id) === to.id;
    };
    const blocks: Uint8Array[] = [];
    const yielder = new Yielder();
    let bytes = 0;
    for (let height = from; height <= to.height && blocks.length < PAGE_BLOCKS; height++) {
      if (!isOurs()) return undefined;
      const block = await this.#block(height, yielder);
      if (block === undefined) return undefined;
      if (block.length > pageBytes) {
        if (blocks.length === 0) return onePart(block, part, pageBytes);
        break;
      }
      if (bytes + block.length > pageBytes) break;
      bytes += block.length;
      blocks.push(block);
      await yielder.yieldIfDue();
    }
    // The chain may have been reorganized while the page was made.
    return isOurs() ? { blocks, part: 0, parts: 1 } : undefined;
  }

  async #block(height: number, yielder: Yielder): Promise<Uint8Array | undefined> {
    const { store } = this.#chain;
    const id = toHex(store.blockMeta(height)?.id ?? new Uint8Array());
    if (this.#long?.id === id) return this.#long.bytes;
    const block = await blockFacts(store, height, yielder);
    if (block === undefined) return undefined;
    const bytes = await encodeBlockAdded(block, this.#options.encoding, yielder);
    if (bytes.length > this.#options.pageBytes()) this.#long = { id, bytes };
    return bytes;
  }
}

function onePart(block: Uint8Array, part: number, size: number): Page {
  const parts = cutIntoParts(block, size);
  const wanted = parts[part];
  if (wanted === undefined) throw new DecodeError(`no part ${part} of ${parts.length}`);
  return { blocks: [wanted], part, parts: parts.length };
}
