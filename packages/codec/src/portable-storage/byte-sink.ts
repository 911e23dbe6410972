/** Thrown when a document grows beyond the limit of its sink. */
export class DocumentTooLargeError extends Error {
  override readonly name = 'DocumentTooLargeError';
  readonly code = 'too-large';

  constructor(limit: number) {
    super(`document of more than ${limit} bytes`);
  }
}

export interface ByteSinkOptions {
  /** Largest document in bytes, by default 1 GiB. The largest honest one is that of `/get_blocks.bin`, about 100 MB. */
  readonly limit?: number;
  /**
   * Expected size in bytes. The sink then copies everything into one block of that size, and a document that
   * fits is a single chunk. Without it, long byte strings are kept by reference.
   */
  readonly capacity?: number;
}

const DEFAULT_LIMIT = 1 << 30;
/** Small documents take a small block. */
const FIRST_BLOCK_BYTES = 1 << 13;
const BLOCK_BYTES = 1 << 16;
/**
 * Characters of text that are collected before they become bytes: joining short texts is faster than copying them. A socket that
 * is given a longer one copies it twice, into memory that is new each time.
 */
const TEXT_PIECE = 1 << 16;
const COPY_BELOW = 1 << 12;

/** Collects a document as a list of chunks, so that it is never copied as a whole. */
export class ByteSink {
  #chunks: Uint8Array[] = [];
  readonly #limit: number;
  readonly #copyBelow: number;
  readonly #firstBlock: number;
  /** Appended after the bytes in the block. */
  #text = '';
  /** Allocated when there is something to put into it. */
  #block: Uint8Array | undefined;
  #used = 0;
  #flushed = 0;

  constructor({ limit = DEFAULT_LIMIT, capacity }: ByteSinkOptions = {}) {
    this.#limit = limit;
    this.#copyBelow = Math.max(capacity ?? 0, COPY_BELOW);
    this.#firstBlock = capacity ?? FIRST_BLOCK_BYTES;
  }

  /** Bytes appended so far. */
  get length(): number {
    return this.#flushed + this.#used + this.#text.length;
  }

  /** Appends one byte per character; every character must be below 256. Throws DocumentTooLargeError. */
  latin1(text: string): void {
    this.#text += text;
    if (this.#text.length >= TEXT_PIECE) this.#putText();
  }

  /** Appends bytes; long ones are kept by reference and must not change later. Throws DocumentTooLargeError. */
  bytes(bytes: Uint8Array): void {
    if (bytes.length < this.#copyBelow) {
      const block = this.#room(bytes.length);
      block.set(bytes, this.#used);
      this.#used += bytes.length;
      return;
    }
    this.#flush();
    this.#push(bytes);
  }

  /** Appends one byte. Throws DocumentTooLargeError. */
  u8(value: number): void {
    const block = this.#room(1);
    block[this.#used++] = value;
  }

  /** Appends the low `size` (at most 8) bytes of an integer, the lowest first. Throws DocumentTooLargeError. */
  littleEndian(value: bigint | number, size: number): void {
    const block = this.#room(8);
    let low: number;
    let high: number;
    if (typeof value === 'number' && value >= 0) {
      low = value % 0x1_0000_0000;
      high = (value - low) / 0x1_0000_0000;
    } else {
      const bits = BigInt.asUintN(64, BigInt(value));
      low = Number(bits & 0xffff_ffffn);
      high = Number(bits >> 32n);
    }
    for (let i = 0; i < size; i++) {
      block[this.#used + i] = (i < 4 ? low : high) >>> (8 * (i & 3));
    }
    this.#used += size;
  }

  /** Appends a 64-bit floating point number, little-endian. Throws DocumentTooLargeError. */
  double(value: number): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.bytes(bytes);
  }

  /** Returns everything appended so far as chunks in order. */
  chunks(): readonly Uint8Array[] {
    this.#flush();
    return this.#chunks;
  }

  /** Returns the chunks appended since the last call and forgets them; `length` goes on counting. */
  drain(): readonly Uint8Array[] {
    this.#flush();
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  /** Everything appended so far if it is only a little text, which sockets send faster than bytes; else undefined. */
  get shortText(): string | undefined {
    return this.#flushed + this.#used === 0 ? this.#text : undefined;
  }

  /** Returns the block, with at least that many free bytes after those in use. */
  #room(bytes: number): Uint8Array {
    if (this.#text !== '') this.#putText();
    if (this.#block !== undefined && this.#block.length - this.#used < bytes) this.#flush(bytes);
    const size = this.#flushed === 0 ? this.#firstBlock : BLOCK_BYTES;
    this.#block ??= allocate(Math.max(size, bytes));
    return this.#block;
  }

  #putText(): void {
    const text = this.#text;
    this.#text = '';
    if (text.length >= COPY_BELOW) {
      this.#flush();
      const bytes = allocate(text.length);
      writeLatin1(bytes, text, 0);
      this.#push(bytes);
      return;
    }
    const block = this.#room(text.length);
    writeLatin1(block, text, this.#used);
    this.#used += text.length;
  }

  /** Ends the chunk. The rest of the block stays in use if it has `needed` bytes and is not small. */
  #flush(needed = 0): void {
    if (this.#text !== '') this.#putText();
    if (this.#block === undefined || this.#used === 0) return;
    const block = this.#block;
    const used = this.#used;
    const rest = block.length - used;
    this.#block = rest >= Math.max(COPY_BELOW, needed) ? block.subarray(used) : undefined;
    this.#used = 0;
    this.#push(block.subarray(0, used));
  }

  #push(chunk: Uint8Array): void {
    this.#flushed += chunk.length;
    if (this.#flushed > this.#limit) throw new DocumentTooLargeError(this.#limit);
    this.#chunks.push(chunk);
  }
}

/** Returns new memory. In Node it is not cleared first, and native code writes Latin-1 text to it. */
function allocate(size: number): Uint8Array {
  return typeof Buffer === 'undefined' ? new Uint8Array(size) : Buffer.allocUnsafeSlow(size);
}

function writeLatin1(block: Uint8Array, text: string, at: number): void {
  if (typeof Buffer !== 'undefined' && block instanceof Buffer) {
    block.write(text, at, 'latin1');
    return;
  }
  for (let i = 0; i < text.length; i++) block[at + i] = text.charCodeAt(i);
}
