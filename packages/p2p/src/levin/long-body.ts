/** A body is long above this number of bytes: joining its chunks at once would hold up the event loop. */
const LONG = 1024 * 1024;
/** The memory for a long body is reserved when this share of its bytes has arrived. */
const SHARE = 1 / 64;

/**
 * The bytes of one long body, joined as they arrive. Its memory is reserved as a whole, but only after a part of it has
 * arrived, and the system provides pages of it only where bytes are written.
 */
export class LongBody {
  readonly #bytes: Uint8Array;
  #filled = 0;

  private constructor(length: number) {
    this.#bytes = new Uint8Array(length);
  }

  /** Returns the body to fill when it is long and enough bytes of it have arrived. */
  static begin(length: number, arrived: number): LongBody | undefined {
    return length > LONG && arrived >= length * SHARE ? new LongBody(length) : undefined;
  }

  get isComplete(): boolean {
    return this.#filled === this.#bytes.length;
  }

  /** All its bytes; valid when it is complete. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Takes bytes from the beginning of a chunk. Returns the rest of the chunk. */
  add(chunk: Uint8Array): Uint8Array {
    const taken = chunk.subarray(0, this.#bytes.length - this.#filled);
    this.#bytes.set(taken, this.#filled);
    this.#filled += taken.length;
    return chunk.subarray(taken.length);
  }
}
