import type { CryptonightVariant } from './cryptonight-variant.ts';

/**
 * Versions of RandomX: `randomx`, used from major version 12 on, and `randomx-v2`, planned for the next hard fork. One
 * cache or dataset serves both.
 */
export type RandomxVersion = 'randomx' | 'randomx-v2';

/** RandomX, used from major version 12 on. */
export interface RandomxRequest {
  readonly kind: RandomxVersion;
  /** Id of the seed block, 32 bytes. */
  readonly seedHash: Uint8Array;
  /** Block hashing blob (header, tree hash, transaction count), at least 76 bytes. */
  readonly blob: Uint8Array;
  /**
   * Whether the proof of work is the commitment to the hash ({@link randomxCommitment}) and not the hash itself, as
   * planned for the next hard fork. False by default.
   */
  readonly commitment?: boolean;
}

/** CryptoNight, used up to major version 11: variant 0 up to version 6, 1 in 7, 2 in 8 and 9, 4 (R) in 10 and 11. */
export interface CryptonightRequest {
  readonly kind: 'cryptonight';
  readonly variant: CryptonightVariant;
  /** Height of the block, from which variant 4 derives its random program; the other variants ignore it. */
  readonly height: number | bigint;
  /** Block hashing blob; at least 43 bytes for variant 1. */
  readonly blob: Uint8Array;
}

/** The data to hash and the algorithm to hash it with. */
export type PowRequest = RandomxRequest | CryptonightRequest;

/** Nonces to try: `count` of them, namely `startNonce`, `startNonce + stride`, … (modulo 2^32). */
export interface NonceSearch {
  /** The request to vary. The nonce in its blob is ignored, and the blob is not changed. */
  readonly request: PowRequest;
  /** Offset of the nonce in the blob, as `nonceOffset` returns it. */
  readonly nonceOffset: number;
  readonly startNonce: number;
  readonly stride: number;
  readonly count: number;
  /** A hash, or the commitment to it, is good if, read as a little-endian number, hash × difficulty is below 2^256. */
  readonly difficulty: bigint;
  /** Ends the search before `count` hashes; it is checked between hashes. */
  readonly signal?: AbortSignal;
}

export interface NonceSearchResult {
  /** The first good nonce; undefined if none was found. */
  readonly nonce?: number;
  /** The number of hashes computed; fewer than asked for when the search has ended early. */
  readonly hashes: number;
}

/**
 * Searches for proof of work. Each search keeps one thread busy and leaves the event loop free, so a miner with N
 * threads runs N searches at the same time.
 */
export interface NonceSearcher {
  /** Name of the implementation, for the log. */
  readonly name: string;
  /** Throws PowUnavailableError when there is not enough memory or the searcher is closed. */
  search(task: NonceSearch): Promise<NonceSearchResult>;
  /** Frees the memory used for mining. A later search allocates it again. */
  release(): Promise<void>;
}

/** The values of {@link DatasetUse}. */
export const DATASET_USES = ['auto', 'always', 'keep', 'never'] as const;

/**
 * Whether blocks of one seed are verified with a dataset (2080 MiB) when very many are expected: `auto` if 6 GiB of memory are
 * available, `always` if there are 2400 MiB. With `keep`, and 2400 MiB, there is one as long as any block is expected, and no hash waits
 * for it: for nodes at the top of the chain that verify blocks for miners.
 */
export type DatasetUse = (typeof DATASET_USES)[number];

/** What happened with the dataset that blocks are verified with. */
export type DatasetEvent =
  /** It is being computed for about so many blocks. */
  | { readonly kind: 'started'; readonly blocks: number; readonly isKept: boolean }
  /** Its memory was given back, or will never be needed. */
  | { readonly kind: 'freed' }
  /** Too few bytes are available; hashes are computed in light mode. */
  | { readonly kind: 'no-memory'; readonly available: number; readonly needed: number }
  /** It could not be computed; hashes are computed in light mode. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Vector code computed other items than librandomx, which then computed all of them. */
  | { readonly kind: 'mismatch'; readonly path: string };

/** Computes proof-of-work hashes without blocking the event loop. */
export interface PowHasher {
  /** Name of the implementation, for the log. */
  readonly name: string;
  /** Number of RandomX seeds whose caches (256 MiB each) are in memory or being made; absent for hashers without caches. */
  readonly seedsHeld?: number;
  /**
   * Returns the 32-byte proof-of-work hash, or the commitment to it if that was asked for. Throws PowUnavailableError when there is not enough memory, a worker
   * crashed or the hasher is closed, and PowInputError when the algorithm has no hash of the blob.
   */
  hash(request: PowRequest): Promise<Uint8Array>;
  /**
   * Returns the 32-byte hash like `hash`, but where it neither holds up other hashes nor takes the place of a seed that
   * they use: slower, one at a time, and with a single cache. For strangers' blocks of old seeds. A hasher without it
   * has no such place. Throws as `hash` does.
   */
  hashAside?(request: PowRequest): Promise<Uint8Array>;
  /**
   * Returns the 32-byte hash on which independent computations agree. Ask it before `hash`, computed earlier for this
   * request, counts against a block; it takes up to some seconds. A hasher without it has nothing to compare with.
   *
   * Throws PowUnavailableError; 'disagreement' when no two computations agree, 'unconfirmed' when there was no other
   * computation, and 'too-many-refusals' when others were asked so often that more would cost too much.
   */
  confirm?(request: PowRequest, hash: Uint8Array): Promise<Uint8Array>;
  /**
   * Says that `hash`, the very array that `hash()` has returned, is what somebody else computed too, and that its request
   * comes once more: the next `hash()` of it takes no computation. A hasher may forget it. Never throws.
   */
  remember?(hash: Uint8Array): void;
  /** Number of RandomX seeds whose caches stay in memory together; absent for hashers without caches. */
  readonly seedsKept?: number;
  /**
   * Makes the cache of a RandomX seed (32 bytes) on a thread, so that the first hash need not wait for it. Hashes of other
   * seeds go on. With `seedsKept` of 1 it replaces the existing cache. Name the version that the
   * hashes will have: where the versions have engines of their own, each has its own caches. Throws PowUnavailableError.
   */
  prepare?(seedHash: Uint8Array, version?: RandomxVersion): Promise<void>;
  /**
   * Says that about so many more blocks of a RandomX seed (32 bytes) are going to be hashed. With very many the hasher may prepare
   * itself, and hashes of that seed had better wait for it then (`ready`). 0 ends it, and gives the memory back. Never throws.
   */
  expect?(seedHash: Uint8Array, blocks: number): void;
  /**
   * Resolves when hashes of a RandomX seed (32 bytes) are not to wait any more for what `expect` began. That takes a minute at most. A
   * hash does not wait by itself, except with the hasher of `createPowHasher`, which has no such method. Never rejects.
   */
  ready?(seedHash: Uint8Array, version: RandomxVersion): Promise<void>;
  /** Returns a searcher faster than single hashes, if the implementation has one. It is closed with the hasher. */
  createNonceSearcher?(): NonceSearcher;
  /** Frees the caches once running hashes are done. */
  close(): Promise<void>;
}
