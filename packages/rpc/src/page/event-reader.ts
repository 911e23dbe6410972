/** The parts of a reader. */
export interface EventReaderParts {
  /** Sent before all else; undefined when the client goes on where it was. */
  readonly first: Uint8Array | undefined;
  /** Number of the newest message that the client has. */
  readonly seen: number;
  /** Returns the messages after one, and the number of the newest; undefined when some of them are lost. */
  readonly after: (seen: number) => { messages: Uint8Array[]; newest: number } | undefined;
  readonly onClose: () => void;
}

/** One client's place in a channel. */
export class EventReader {
  readonly #parts: EventReaderParts;
  #first: Uint8Array | undefined;
  #seen: number;
  #wake: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: EventReaderParts) {
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
