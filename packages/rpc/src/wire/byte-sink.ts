/** The answer grew beyond what this node is willing to hold in memory. */
export class AnswerTooLargeError extends Error {
  constructor(limit: number) {
    super(`answer of more than ${limit} bytes`);
    this.name = 'AnswerTooLargeError';
  }
}

/** Largest answer held in memory. The largest a well-behaved client causes is that of `/get_blocks.bin`, some 100 MB. */
const MAX_ANSWER_BYTES = 1 << 30;
const TEXT_BLOCK = 1 << 16;
const COPY_BELOW = 1 << 12;

/** Collects an answer as a list of chunks, so that it is never copied as a whole. */
export class ByteSink {
  readonly #chunks: Uint8Array[] = [];
  readonly #limit: number;
  #text = '';
  #flushed = 0;

  constructor(limit: number = MAX_ANSWER_BYTES) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#flushed + this.#text.length;
  }

  /** Appends one byte per character; every character must be below 256. Throws AnswerTooLargeError. */
  latin1(text: string): void {
    this.#text += text;
    if (this.#text.length >= TEXT_BLOCK) this.#flush();
  }

  /** Appends bytes; long ones are kept by reference and must not change later. Throws AnswerTooLargeError. */
  bytes(bytes: Uint8Array): void {
    if (bytes.length < COPY_BELOW) {
      this.latin1(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
      return;
    }
    this.#flush();
    this.#push(bytes);
  }

  /** Everything appended so far. */
  chunks(): readonly Uint8Array[] {
    this.#flush();
    return this.#chunks;
  }

  #flush(): void {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    this.#push(Buffer.from(text, 'latin1'));
  }

  #push(chunk: Uint8Array): void {
    this.#flushed += chunk.length;
    if (this.#flushed > this.#limit) throw new AnswerTooLargeError(this.#limit);
    this.#chunks.push(chunk);
  }
}
