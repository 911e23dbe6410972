import { createCipheriv, createHash } from 'node:crypto';

const SIZE = 32;
const PER_CHUNK = 4096;

/** Random-looking values of 32 bytes, found by their number and the same in every run. */
export class NumberedBytes {
  #key;
  #chunk = -1;
  #bytes = Buffer.alloc(0);

  /** @param {string} kind Values of each kind differ. */
  constructor(kind) {
    this.#key = createHash('sha256').update(kind).digest();
  }

  /**
   * Returns the value of a number.
   *
   * @param {number} number
   */
  at(number) {
    const chunk = Math.floor(number / PER_CHUNK);
    if (chunk !== this.#chunk) {
      const start = Buffer.alloc(16);
      start.writeUInt32BE(chunk);
      const stream = createCipheriv('aes-256-ctr', this.#key, start);
      this.#bytes = stream.update(Buffer.alloc(PER_CHUNK * SIZE));
      this.#chunk = chunk;
    }
    const offset = (number % PER_CHUNK) * SIZE;
    return this.#bytes.subarray(offset, offset + SIZE);
  }
}
