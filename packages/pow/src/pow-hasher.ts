import type { CryptonightVariant } from './cryptonight/variant.ts';
import type { NonceSearcher } from './nonce-searcher.ts';

/** RandomX, from major version 12. */
export interface RandomxRequest {
  readonly kind: 'randomx';
  /** Id of the seed block, 32 bytes. */
  readonly seedHash: Uint8Array;
  /** Block hashing blob (header, tree hash, transaction count), 76 bytes or more. */
  readonly blob: Uint8Array;
}

/** CryptoNight, up to major version 11: variant 0 to version 6, 1 in 7, 2 in 8 and 9, 4 (R) in 10 and 11. */
export interface CryptonightRequest {
  readonly kind: 'cryptonight';
  readonly variant: CryptonightVariant;
  /** Height of the block: variant 4 makes its random program from it, the others ignore it. */
  readonly height: number | bigint;
  /** Block hashing blob; variant 1 needs 43 bytes. */
  readonly blob: Uint8Array;
}

/** What to hash, and with which algorithm. */
export type PowRequest = RandomxRequest | CryptonightRequest;

/** Computes proof-of-work hashes off the event loop. */
export interface PowHasher {
  /** Which implementation runs, for the log. */
  readonly name: string;
  /**
   * The 32-byte proof-of-work hash.
   *
   * @throws PowUnavailableError when memory cannot be had, a worker crashed or the hasher is closed.
   * @throws PowInputError when the algorithm has no hash of the blob.
   */
  hash(request: PowRequest): Promise<Uint8Array>;
  /** A searcher that is faster than hash after hash, where the implementation has one; closed with the hasher. */
  createNonceSearcher?(): NonceSearcher;
  /** Releases caches once running hashes are done. */
  close(): Promise<void>;
}
