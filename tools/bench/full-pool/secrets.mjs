// Repeatable scalars and points, fast enough for millions. Never for real secrets.
import { createCipheriv, createHash } from 'node:crypto';

const BLOCK = 65_536;

/** A repeatable source of scalars, the key stream of AES from a name. */
export class ScalarSource {
  #cipher;
  #reduce;
  #bytes = Buffer.alloc(0);

  constructor(name, reduceScalar) {
    const key = createHash('sha256').update(name).digest();
    this.#cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
    this.#reduce = reduceScalar;
  }

  /** Returns 32 bytes. */
  bytes() {
    if (this.#bytes.length === 0) this.#bytes = this.#cipher.update(Buffer.alloc(BLOCK));
    const bytes = this.#bytes.subarray(0, 32);
    this.#bytes = this.#bytes.subarray(32);
    return new Uint8Array(bytes);
  }

  /** Returns a scalar below l. */
  scalar() {
    return this.#reduce(this.bytes());
  }
}
