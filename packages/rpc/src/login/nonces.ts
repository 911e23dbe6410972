import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { MillisecondClock } from '@monero-node/base';

/** Milliseconds for which a nonce is accepted on other connections than its own. */
export const NONCE_MS = 60_000;
const TIME_BYTES = 5;
const SALT_BYTES = 3;
const PLAIN_BYTES = TIME_BYTES + SALT_BYTES;
/** As many bytes as monerod's nonces have. */
const NONCE_BYTES = 16;
const TIME_RANGE = 2 ** (8 * TIME_BYTES);

/** Returns milliseconds of a clock that all processes of this machine share and nobody can set. */
function sharedMilliseconds(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** Returns a new key, 32 bytes, for the nonces of a server and its workers. */
export function newNonceKey(): Uint8Array {
  return randomBytes(32);
}

/**
 * Makes the nonces of the digest login and knows them again without keeping them: the time when a nonce was made (milliseconds,
 * 5 bytes), 3 random bytes, and 8 bytes of their HMAC-SHA256, in base64.
 */
export class Nonces {
  readonly #key: Uint8Array;
  readonly #now: MillisecondClock;

  /** @param key 32 bytes, the same in all processes that know each other's nonces */
  constructor(key: Uint8Array, now: MillisecondClock = sharedMilliseconds) {
    this.#key = key;
    this.#now = now;
  }

  make(): string {
    const nonce = Buffer.alloc(NONCE_BYTES);
    nonce.writeUIntBE(this.#now() % TIME_RANGE, 0, TIME_BYTES);
    randomBytes(SALT_BYTES).copy(nonce, TIME_BYTES);
    this.#mac(nonce).copy(nonce, PLAIN_BYTES);
    return nonce.toString('base64');
  }

  /** Returns when a nonce was made, in milliseconds; undefined for one that is not ours or too old. */
  madeAt(text: string): number | undefined {
    const nonce = Buffer.from(text.slice(0, 2 * NONCE_BYTES), 'base64');
    // Base64 has several forms of the same bytes; only ours counts, because uses are noted by the text.
    if (nonce.length !== NONCE_BYTES || nonce.toString('base64') !== text) return undefined;
    if (!timingSafeEqual(this.#mac(nonce), nonce.subarray(PLAIN_BYTES))) return undefined;
    const made = nonce.readUIntBE(0, TIME_BYTES);
    const age = (this.#now() % TIME_RANGE) - made;
    return age >= 0 && age <= NONCE_MS ? made : undefined;
  }

  #mac(nonce: Buffer): Buffer {
    const hmac = createHmac('sha256', this.#key).update(nonce.subarray(0, PLAIN_BYTES));
    return hmac.digest().subarray(0, NONCE_BYTES - PLAIN_BYTES);
  }
}
