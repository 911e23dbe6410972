import { randomBytes } from 'node:crypto';
import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';

/** Most messages that are kept for readers that are behind or come back, and their bytes. */
const MOST_KEPT = 120;
const MOST_KEPT_BYTES = 1 << 20;

export interface EventChannelOptions {
  /** Returns the whole state as JSON on one line. A new reader begins with it. */
  readonly snapshot: () => string;
  /** Called before the first of several readers gets the state. */
  readonly onWatched?: () => void;
}

const OPTIONS: OptionTable<EventChannelOptions> = { snapshot: NEEDED, onWatched: OPTIONAL };

/** A message as it is sent. */
interface Kept {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/**
 * Sends the same messages to many readers as server-sent events: first the whole state, then changes. Every message is made
 * once. A reader holds no messages of its own, so a slow one costs no memory; one that falls behind further than messages
 * are kept is cut off.
 */
export class EventChannel {
  readonly #options: EventChannelOptions;
  /** Part of each id. A browser that comes back after a restart has one that means nothing. */
  readonly #run = randomBytes(6).toString('hex');
  readonly #readers = new Set<ChannelReader>();
  #kept: Kept[] = [];
  #keptBytes = 0;
  /** Number of the newest message. */
  #newest = 0;
  #state: { readonly number: number; readonly bytes: Uint8Array } | undefined;

  /** Throws OptionError for a missing or an unknown option. */
  constructor(options: EventChannelOptions) {
    checkOptions('EventChannel', options, OPTIONS);
    this.#options = options;
  }

  /** Whether anybody reads. */
  get isWatched(): boolean {
    return this.#readers.size > 0;
  }

  /** Sends a change, JSON on one line, to all readers. Readers that come later get it as part of the state. */
  publish(change: string): void {
    const number = ++this.#newest;
    this.#state = undefined;
    const bytes = this.#message('change', change);
    this.#kept.push({ number, bytes });
    this.#keptBytes += bytes.length;
    while (this.#kept.length > MOST_KEPT || this.#keptBytes > MOST_KEPT_BYTES) {
      this.#keptBytes -= this.#kept.shift()?.bytes.length ?? 0;
    }
    for (const reader of this.#readers) reader.wake();
  }

  /** A change is not published because nobody reads. A client that comes back begins with the state. */
  skip(): void {
    this.#newest++;
    this.#kept = [];
    this.#keptBytes = 0;
    this.#state = undefined;
  }

  /**
   * Returns a reader, to be closed. It begins with the state, or with the changes after the last message that it has.
   *
   * @param lastId id of that message, as the client sends it
   */
  open(lastId: string | undefined): ChannelReader {
    if (!this.isWatched) {
      // Nothing was published meanwhile, but the state may have changed.
      this.#state = undefined;
      this.#options.onWatched?.();
    }
    const last = this.#numberOf(lastId);
    const start =
      last === undefined ? { first: this.#wholeState(), seen: this.#newest } : undefined;
    const reader = new ChannelReader({
      first: start?.first,
      seen: start?.seen ?? last ?? 0,
      after: (seen) => this.#after(seen),
      onClose: () => this.#readers.delete(reader),
    });
    this.#readers.add(reader);
    return reader;
  }

  /** Ends all readers. */
  close(): void {
    for (const reader of this.#readers) reader.close();
  }

  /** Returns the messages after one, and the number of the newest; undefined when some of them are not kept. */
  #after(seen: number): { messages: Uint8Array[]; newest: number } | undefined {
    const oldest = this.#newest - this.#kept.length;
    if (seen < oldest) return undefined;
    const messages = this.#kept.slice(seen - oldest).map(({ bytes }) => bytes);
    return { messages, newest: this.#newest };
  }

  /** Returns the number in an id; undefined unless the messages after it are kept. */
  #numberOf(id: string | undefined): number | undefined {
    const [run, text = ''] = id?.split('-') ?? [];
    if (run !== this.#run || !/^\d{1,15}$/.test(text)) return undefined;
    const number = Number(text);
    const isKept = number <= this.#newest && number >= this.#newest - this.#kept.length;
    return isKept ? number : undefined;
  }

  #wholeState(): Uint8Array {
    this.#state ??= {
      number: this.#newest,
      bytes: this.#message('state', this.#options.snapshot()),
    };
    return this.#state.bytes;
  }

  #message(event: string, data: string): Uint8Array {
    return Buffer.from(`id: ${this.#run}-${this.#newest}\nevent: ${event}\ndata: ${data}\n\n`);
  }
}

/** The parts of a reader. */
interface ReaderParts {
  /** Sent before all else; undefined when the client goes on where it was. */
  readonly first: Uint8Array | undefined;
  /** Number of the newest message that the client has. */
  readonly seen: number;
  /** Returns the messages after one, and the number of the newest; undefined when some of them are lost. */
  readonly after: (seen: number) => { messages: Uint8Array[]; newest: number } | undefined;
  readonly onClose: () => void;
}

/** One client's place in a channel. */
export class ChannelReader {
  readonly #parts: ReaderParts;
  #first: Uint8Array | undefined;
  #seen: number;
  #wake: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.#first = parts.first;
    this.#seen = parts.seen;
  }

  /**
   * Returns the messages that the client has not got, as soon as there is one; an empty list when there was none for
   * `quietMs` milliseconds. Returns undefined once the reader is closed, and when messages were lost because the client
   * was too slow.
   */
  async next(quietMs: number): Promise<Uint8Array[] | undefined> {
    if (!this.#isClosed && this.#first === undefined && this.#pending()?.length === 0) {
      await this.#woken(quietMs);
    }
    if (this.#isClosed) return undefined;
    const first = this.#first;
    this.#first = undefined;
    const after = this.#parts.after(this.#seen);
    if (after === undefined) return undefined;
    this.#seen = after.newest;
    return first === undefined ? after.messages : [first, ...after.messages];
  }

  /** There is a new message. */
  wake(): void {
    this.#wake?.();
  }

  /** Ends the reader; a waiting call of `next` returns. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts.onClose();
    this.#wake?.();
  }

  #pending(): readonly Uint8Array[] | undefined {
    return this.#parts.after(this.#seen)?.messages;
  }

  #woken(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      timer.unref();
      this.#wake = done;
    });
  }
}
