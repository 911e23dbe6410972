import { blake2b } from '@noble/hashes/blake2.js';

const STATE_SIZE = 64;
/** Bytes of the key that count; RandomX is not defined for longer keys. */
export const MAX_KEY_SIZE = 60;

/** The BlakeGenerator of RandomX (specification, 3.5), which derives random numbers from a key of at most 60 bytes. */
export class BlakeGenerator {
  #state: Uint8Array = new Uint8Array(STATE_SIZE);
  #at = STATE_SIZE;

  /** Throws RangeError for a longer key. */
  constructor(key: Uint8Array) {
    if (key.length > MAX_KEY_SIZE) throw new RangeError('a RandomX key has at most 60 bytes');
    this.#state.set(key);
  }

  byte(): number {
    this.#provide(1);
    return this.#state[this.#at++] as number;
  }

  /** Returns the next four bytes as a little-endian number. */
  uint32(): number {
    this.#provide(4);
    const { buffer, byteOffset } = this.#state;
    const value = new DataView(buffer, byteOffset).getUint32(this.#at, true);
    this.#at += 4;
    return value;
  }

  #provide(size: number): void {
    if (this.#at + size <= STATE_SIZE) return;
    this.#state = blake2b(this.#state, { dkLen: STATE_SIZE });
    this.#at = 0;
  }
}
