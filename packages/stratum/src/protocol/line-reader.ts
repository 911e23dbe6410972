/** Thrown for a line that is too long. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const NOTHING = Buffer.alloc(0);

/** Cuts the bytes of a connection into lines, of which it keeps no more than one. */
export class LineReader {
  readonly #limit: number;
  #begun: Buffer = NOTHING;

  /** @param limit bytes of a line, without its end */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes of the line that has not ended. */
  get held(): number {
    return this.#begun.length;
  }

  /**
   * Returns the lines that end in these bytes, without their ends (LF or CR LF) and without those that are empty: a read of
   * 64 KiB may hold as many. Throws LineTooLongError; the connection is to be closed then.
   */
  *take(bytes: Buffer): Generator<string, void> {
    let at = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, at)) {
      const from = at;
      at = end + 1;
      const last = end > from && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
      if (last === from && this.#begun.length === 0) continue;
      this.#keep(bytes.subarray(from, end));
      const line = this.#begun.toString('utf8');
      this.#begun = NOTHING;
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (text !== '') yield text;
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
