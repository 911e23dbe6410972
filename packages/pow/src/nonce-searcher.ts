import type { PowHasher, PowRequest } from './pow-hasher.ts';

/** Bytes of the nonce, little-endian. */
const NONCE_SIZE = 4;
const NONCES = 2 ** 32;
const LIMIT = 1n << 256n;

/** Nonces to try: `startNonce`, `startNonce + stride`, … (modulo 2^32), `count` of them. */
export interface NonceSearch {
  /** What to hash; the nonce in its blob does not matter, and the blob is left as it is. */
  readonly request: PowRequest;
  /** Where in the blob the nonce stands: {@link nonceOffset}. */
  readonly nonceOffset: number;
  readonly startNonce: number;
  readonly stride: number;
  readonly count: number;
  /** A hash is good when hash × difficulty stays below 2^256, the hash read as a little-endian number. */
  readonly difficulty: bigint;
  /** Ends the search early, before `count` hashes; asked about now and then. */
  readonly signal?: AbortSignal;
}

export interface NonceSearchResult {
  /** The first good nonce; undefined when there was none. */
  readonly nonce?: number;
  /** How many hashes were done. */
  readonly hashes: number;
}

/**
 * Looks for proof of work. Searches may overlap: each keeps one thread busy, and none the event loop, so a miner
 * with N threads has N searches under way.
 */
export interface NonceSearcher {
  /** Which implementation runs, for the log. */
  readonly name: string;
  /** @throws PowUnavailableError when memory cannot be had or the searcher is closed. */
  search(task: NonceSearch): Promise<NonceSearchResult>;
  /** Gives back what was set aside for mining; a search may follow and takes it again. */
  release(): Promise<void>;
}

/**
 * Where the nonce stands in a hashing blob: behind three varints (versions and time) and a hash of 32 bytes; 39 in
 * blocks of our time.
 *
 * @throws RangeError when the blob is too short.
 */
export function nonceOffset(blob: Uint8Array): number {
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

/** A searcher over any hasher, one hash after the other; for low difficulties, as it sets nothing aside. */
export class HashingNonceSearcher implements NonceSearcher {
  readonly name: string;
  readonly #hasher: Pick<PowHasher, 'hash'>;

  constructor(hasher: Pick<PowHasher, 'hash'> & { readonly name?: string }) {
    this.#hasher = hasher;
    this.name = hasher.name ?? 'one hash after the other';
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

  /** The hasher's caches serve others too. */
  release(): Promise<void> {
    return Promise.resolve();
  }
}

function isGood(hash: Uint8Array, difficulty: bigint): boolean {
  const value = BigInt(`0x${Buffer.from(hash).reverse().toString('hex')}`);
  return difficulty > 0n && value * difficulty < LIMIT;
}

/** The fastest searcher there is for this hasher. */
export function createNonceSearcher(hasher: PowHasher): NonceSearcher {
  return hasher.createNonceSearcher?.() ?? new HashingNonceSearcher(hasher);
}
