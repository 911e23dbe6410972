/** The answer grew beyond what this node is willing to hold in memory. */
export class AnswerTooLargeError extends Error {
  constructor(limit: number) {
    super(`answer of more than ${limit} bytes`);
    this.name = 'AnswerTooLargeError';
  }
}

/** Largest answer held in memory. The largest a well-behaved client causes is that of `/get_blocks.bin`, some 100 MB. */
const MAX_ANSWER_BYTES = 1 << 30;
/** Small answers take a small block. */
const FIRST_BLOCK_BYTES = 1 << 13;
const BLOCK_BYTES = 1 << 16;
/** Text is turned into bytes when there is so much of it: short pieces are joined faster than they are copied. */
const TEXT_PIECE = 1 << 17;
const COPY_BELOW = 1 << 12;

/** Collects an answer as a list of chunks, so that it is never copied as a whole. */
export class ByteSink {
  readonly #chunks: Uint8Array[] = [];
  readonly #limit: number;
  /** Appended after what the block holds. */
  #text = '';
  /** Allocated when there is something to put into it. */
  #block: Buffer | undefined;
  #used = 0;
  #flushed = 0;

  constructor(limit: number = MAX_ANSWER_BYTES) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#flushed + this.#used + this.#text.length;
  }

  /** Appends one byte per character; every character must be below 256. Throws AnswerTooLargeError. */
  latin1(text: string): void {
    this.#text += text;
    if (this.#text.length >= TEXT_PIECE) this.#putText();
  }

  /** Appends bytes; long ones are kept by reference and must not change later. Throws AnswerTooLargeError. */
  bytes(bytes: Uint8Array): void {
    if (bytes.length < COPY_BELOW) {
      const block = this.#room(bytes.length);
      block.set(bytes, this.#used);
      this.#used += bytes.length;
      return;
    }
    this.#flush();
    this.#push(bytes);
  }

  /** Appends one byte. Throws AnswerTooLargeError. */
  u8(value: number): void {
    const block = this.#room(1);
    block[this.#used++] = value;
  }

  /** Appends the low `size` (at most 8) bytes of an integer, the lowest first. Throws AnswerTooLargeError. */
  littleEndian(value: bigint | number, size: number): void {
    const block = this.#room(8);
    if (size <= 6 && typeof value === 'number' && value >= 0) {
      block.writeUIntLE(value % 2 ** (8 * size), this.#used, size);
    } else {
      block.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), this.#used);
    }
    this.#used += size;
  }

  /** Everything appended so far. */
  chunks(): readonly Uint8Array[] {
    this.#flush();
    return this.#chunks;
  }

  /** Everything appended so far if that is nothing but a little text: sockets send that faster than bytes. */
  get shortText(): string | undefined {
    return this.#flushed + this.#used === 0 ? this.#text : undefined;
  }

  /** The block, with so many bytes free behind what is used; at most 4096 may be asked for. */
  #room(bytes: number): Buffer {
    if (this.#text !== '') this.#putText();
    if (this.#block !== undefined && this.#block.length - this.#used < bytes) this.#flush();
    this.#block ??= Buffer.allocUnsafe(this.#flushed === 0 ? FIRST_BLOCK_BYTES : BLOCK_BYTES);
    return this.#block;
  }

  #putText(): void {
    const text = this.#text;
    this.#text = '';
    if (text.length >= COPY_BELOW) {
      this.#flush();
      this.#push(Buffer.from(text, 'latin1'));
      return;
    }
    const block = this.#room(text.length);
    this.#used += block.write(text, this.#used, 'latin1');
  }

  /** Hands on what is collected; what is left of the block goes on being used. */
  #flush(): void {
    if (this.#text !== '') this.#putText();
    if (this.#block === undefined || this.#used === 0) return;
    const block = this.#block;
    const used = this.#used;
    this.#block = block.length - used >= COPY_BELOW ? block.subarray(used) : undefined;
    this.#used = 0;
    this.#push(block.subarray(0, used));
  }

  #push(chunk: Uint8Array): void {
    this.#flushed += chunk.length;
    if (this.#flushed > this.#limit) throw new AnswerTooLargeError(this.#limit);
    this.#chunks.push(chunk);
  }
}
