import type { ChangeMessage, StateMessage } from './messages.ts';
import type { Store } from './store.ts';

/** The node sends something every 15 seconds. After this time without, the stream is opened again; milliseconds. */
const SILENT_MS = 40_000;
/** Pauses before a stream that was refused is asked for again, milliseconds. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30_000;

/** Follows the events of the node and keeps the store up to date. Never gives up. */
export class Connection {
  readonly #path: string;
  readonly #store: Store;
  #source: EventSource | undefined;
  #pause = FIRST_PAUSE_MS;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(path: string, store: Store) {
    this.#path = path;
    this.#store = store;
  }

  open(): void {
    this.#source?.close();
    const source = new EventSource(this.#path);
    this.#source = source;
    this.#heard();
    source.addEventListener('state', ({ data }: MessageEvent<string>) => {
      this.#heard();
      this.#pause = FIRST_PAUSE_MS;
      this.#store.begin(JSON.parse(data) as StateMessage);
    });
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      this.#heard();
      this.#store.change(JSON.parse(data) as ChangeMessage);
    });
    source.addEventListener('beat', () => this.#heard());
    // A stream that goes on where it was begins with a change or with nothing.
    source.addEventListener('open', () => {
      if (this.#store.shown.data !== undefined) this.#store.setLink('live');
    });
    source.addEventListener('error', () => this.#failed(source));
  }

  /** The browser opens a broken stream again by itself, but not one that was refused. */
  #failed(source: EventSource): void {
    if (source !== this.#source) return;
    this.#store.setLink('lost');
    if (source.readyState !== EventSource.CLOSED) return;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.open(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
  }

  #heard(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#store.setLink('lost');
      this.open();
    }, SILENT_MS);
  }
}
