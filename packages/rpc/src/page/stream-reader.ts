/** What a reader of an event stream is made of. `Position` says what the client has got. */
interface ReaderParts<Position> {
  /** Sent before all else; undefined when the client goes on where it was. */
  readonly first: Uint8Array | undefined;
  /** What the client has. */
  readonly seen: Position;
  /**
   * Returns messages that follow, and what the client has with them; none while there is nothing new. Returns undefined when some of
   * them are lost.
   */
  readonly after: (seen: Position) => { messages: Uint8Array[]; seen: Position } | undefined;
  /** Waits before each call of `after`, which takes time, for a turn of the client; without it there is no wait. */
  readonly turn?: (() => Promise<void>) | undefined;
  readonly onClose: () => void;
}

/** One client's place in a stream of messages. It keeps nothing but what the client has got, so a slow client costs no memory. */
export class StreamReader<Position> {
  readonly #parts: ReaderParts<Position>;
  #first: Uint8Array | undefined;
  #seen: Position;
  #wake: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: ReaderParts<Position>) {
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
    if (this.#isClosed) return undefined;
    const first = this.#first;
    this.#first = undefined;
    const { turn } = this.#parts;
    if (turn !== undefined) await turn();
    let after = this.#after();
    // Nothing may come between that look and this wait: it would wake nobody.
    if (first === undefined && after?.messages.length === 0) {
      await this.#woken(quietMs);
      if (turn !== undefined) await turn();
      after = this.#after();
    }
    if (after === undefined) return undefined;
    this.#seen = after.seen;
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

  /** It may have been closed during a wait. */
  #after(): ReturnType<ReaderParts<Position>['after']> {
    return this.#isClosed ? undefined : this.#parts.after(this.#seen);
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
