import { randomBytes } from 'node:crypto';
import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { StreamReader } from './stream-reader.ts';

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
  readonly #readers = new Set<StreamReader<number>>();
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
  open(lastId: string | undefined): StreamReader<number> {
    if (!this.isWatched) {
      // Nothing was published meanwhile, but the state may have changed.
      this.#state = undefined;
      this.#options.onWatched?.();
    }
    const last = this.#numberOf(lastId);
    const start =
      last === undefined ? { first: this.#wholeState(), seen: this.#newest } : undefined;
    const reader = new StreamReader<number>({
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
  #after(seen: number): { messages: Uint8Array[]; seen: number } | undefined {
    const oldest = this.#newest - this.#kept.length;
    if (seen < oldest) return undefined;
    const messages = this.#kept.slice(seen - oldest).map(({ bytes }) => bytes);
    return { messages, seen: this.#newest };
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
