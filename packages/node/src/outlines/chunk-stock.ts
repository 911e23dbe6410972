import { MESSAGE_BYTES } from './messages.ts';

/** Bytes of a chunk: those of a message and of a transaction or package that ends it. For a larger one, memory is made anew. */
const CHUNK_BYTES = MESSAGE_BYTES + 256 * 1024;

/** Most chunks that are kept, enough for two jobs of 8 MiB. */
const MAX_CHUNKS = 16;

/**
 * Memory that is shared with threads, and used again for the next job: the first touch of each new page costs more than copying
 * the bytes into it.
 */
export class ChunkStock {
  readonly #free: SharedArrayBuffer[] = [];

  /** Returns an array of that many bytes, whose contents are undefined. */
  take(size: number): Uint8Array {
    if (size > CHUNK_BYTES) return new Uint8Array(new SharedArrayBuffer(size));
    return new Uint8Array(this.#free.pop() ?? new SharedArrayBuffer(CHUNK_BYTES), 0, size);
  }

  /** Takes an array of `take` back. No thread may read it any more. */
  give({ buffer }: Uint8Array): void {
    if (!(buffer instanceof SharedArrayBuffer) || buffer.byteLength !== CHUNK_BYTES) return;
    if (this.#free.length < MAX_CHUNKS) this.#free.push(buffer);
  }
}
