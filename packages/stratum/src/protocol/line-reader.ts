/** Thrown for a line that is too long. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

const LINE_FEED = 10;

/** Cuts the bytes of a connection into lines, of which it keeps no more than one. */
export class LineReader {
  readonly #limit: number;
  #begun: Buffer = Buffer.alloc(0);

  /** @param limit bytes of a line, without its end */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes of the line that has not ended. */
  get held(): number {
    return this.#begun.length;
  }

  /**
   * Returns the lines that end in these bytes, without their ends (LF or CR LF). Throws LineTooLongError; the connection is to
   * be closed then.
   */
  *take(bytes: Buffer): Generator<string, void> {
    let at = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, at)) {
      this.#keep(bytes.subarray(at, end));
      const line = this.#begun.toString('utf8');
      this.#begun = Buffer.alloc(0);
      at = end + 1;
      yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
    this.#keep(bytes.subarray(at));
  }

  /** The bytes are copied: a short line must not keep all that came with it. */
  #keep(part: Buffer): void {
    if (part.length === 0) return;
    const length = this.#begun.length + part.length;
    if (length > this.#limit)
      throw new LineTooLongError(`a line of more than ${this.#limit} bytes`);
    this.#begun = Buffer.concat([this.#begun, part]);
  }
}
