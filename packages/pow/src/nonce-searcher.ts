import { abytes, bytesToHex } from '@noble/hashes/utils.js';
import type { NonceSearch, NonceSearchResult, NonceSearcher, PowHasher } from './pow-hasher.ts';

/** Bytes of the nonce, little-endian. */
const NONCE_SIZE = 4;
const NONCES = 2 ** 32;
const LIMIT = 1n << 256n;

/**
 * Returns the offset of the nonce in a block hashing blob: after three varints (versions and time) and a hash of
 * 32 bytes, which is 39 in today's blocks. Throws RangeError when the blob is too short, and TypeError for anything but
 * bytes.
 */
export function nonceOffset(blob: Uint8Array): number {
  abytes(blob, undefined, 'blob');
  let at = 0;
  for (let varints = 0; varints < 3; at++) {
    const byte = blob[at];
    if (byte === undefined) throw new RangeError('not a block hashing blob');
    if (byte < 0x80) varints++;
  }
  const offset = at + 32;
  if (offset + NONCE_SIZE > blob.length) throw new RangeError('not a block hashing blob');
  return offset;
}

/** Searches with any hasher, one hash at a time. It allocates nothing for mining, which suits low difficulties. */
export class HashingNonceSearcher implements NonceSearcher {
  readonly name: string;
  readonly #hasher: Pick<PowHasher, 'hash'>;

  constructor(hasher: Pick<PowHasher, 'hash'> & { readonly name?: string }) {
    this.#hasher = hasher;
    this.name = hasher.name ?? 'one hash at a time';
  }

  async search(task: NonceSearch): Promise<NonceSearchResult> {
    const { request, difficulty, signal } = task;
    const blob = Uint8Array.from(request.blob);
    const view = new DataView(blob.buffer);
    let nonce = task.startNonce;
    for (let hashes = 0; hashes < task.count; hashes++) {
      if (signal?.aborted === true) return { hashes };
      view.setUint32(task.nonceOffset, nonce, true);
      const hash = await this.#hasher.hash({ ...request, blob });
      if (isGood(hash, difficulty)) return { nonce, hashes: hashes + 1 };
      nonce = (nonce + task.stride) % NONCES;
    }
    return { hashes: task.count };
  }

  /** Does nothing: the hasher's caches are also used for verification. */
  release(): Promise<void> {
    return Promise.resolve();
  }
}

function isGood(hash: Uint8Array, difficulty: bigint): boolean {
  return difficulty > 0n && littleEndian(hash) * difficulty < LIMIT;
}

/** Returns the fastest searcher available for this hasher. */
export function createNonceSearcher(hasher: PowHasher): NonceSearcher {
  return hasher.createNonceSearcher?.() ?? new HashingNonceSearcher(hasher);
}

/** Returns the number that little-endian bytes encode. */
function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(Uint8Array.from(bytes).reverse())}`);
}
