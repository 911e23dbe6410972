import { HashingNonceSearcher } from './nonce-searcher.ts';
import type {
  CryptonightRequest,
  NonceSearch,
  NonceSearcher,
  NonceSearchResult,
  PowHasher,
  PowRequest,
  RandomxRequest,
  RandomxVersion,
} from './pow-hasher.ts';
import { isRandomx, randomxCommitment } from './randomx.ts';

/** A hasher for one family of algorithms. It computes hashes alone, no commitments. */
export interface FamilyHasher<Request> {
  /** Number of seeds whose caches are held. */
  readonly seedsHeld?: number;
  /** Number of seeds whose caches stay in memory together. */
  readonly seedsKept?: number;
  hash(request: Request): Promise<Uint8Array>;
  /** Makes the cache of a seed. */
  prepare?(seedHash: Uint8Array, version?: RandomxVersion): Promise<void>;
  /** See `PowHasher.expect`. */
  expect?(seedHash: Uint8Array, blocks: number): void;
  /** See `PowHasher.ready`. */
  ready?(seedHash: Uint8Array, version: RandomxVersion): Promise<void>;
  close(): Promise<void>;
}

/** A searcher for RandomX that must be closed. */
export interface ClosableSearcher extends NonceSearcher {
  /** Returns whether it searches with this version. */
  supports(version: RandomxVersion): Promise<boolean>;
  close(): Promise<void>;
}

/** The parts of a {@link CompositePowHasher}. */
export interface HasherParts {
  readonly randomx: FamilyHasher<RandomxRequest>;
  readonly cryptonight: FamilyHasher<CryptonightRequest>;
  /** Returns a searcher for RandomX that is faster than single hashes. */
  readonly createRandomxSearcher?: () => ClosableSearcher;
}

/** Hashes with all algorithms, using one hasher for each family. */
export class CompositePowHasher implements PowHasher {
  readonly #name: () => string;
  readonly #parts: HasherParts;
  readonly #searchers: ClosableSearcher[] = [];

  /** @param name returns the name as it is now: the parts may change */
  constructor(name: () => string, parts: HasherParts) {
    this.#name = name;
    this.#parts = parts;
  }

  get name(): string {
    return this.#name();
  }

  get seedsHeld(): number {
    return this.#parts.randomx.seedsHeld ?? 0;
  }

  get seedsKept(): number {
    return this.#parts.randomx.seedsKept ?? 0;
  }

  async prepare(seedHash: Uint8Array, version?: RandomxVersion): Promise<void> {
    await this.#parts.randomx.prepare?.(seedHash, version);
  }

  expect(seedHash: Uint8Array, blocks: number): void {
    this.#parts.randomx.expect?.(seedHash, blocks);
  }

  async ready(seedHash: Uint8Array, version: RandomxVersion): Promise<void> {
    await this.#parts.randomx.ready?.(seedHash, version);
  }

  async hash(request: PowRequest): Promise<Uint8Array> {
    if (!isRandomx(request)) return this.#parts.cryptonight.hash(request);
    if (request.commitment !== true) return this.#parts.randomx.hash(request);
    // A copy: the caller may change its bytes before the commitment is computed.
    const blob = Uint8Array.from(request.blob);
    const { kind, seedHash } = request;
    return randomxCommitment(blob, await this.#parts.randomx.hash({ kind, seedHash, blob }));
  }

  createNonceSearcher(): NonceSearcher {
    const slow = new HashingNonceSearcher(this);
    const fast = this.#parts.createRandomxSearcher?.();
    if (fast === undefined) return slow;
    this.#searchers.push(fast);
    return new ChoosingSearcher(fast, slow);
  }

  async close(): Promise<void> {
    await Promise.all(this.#searchers.splice(0).map((searcher) => searcher.close()));
    await Promise.all([this.#parts.randomx.close(), this.#parts.cryptonight.close()]);
  }
}

/**
 * Difficulty below which a block is found within about a second, even in light mode: the 2 GiB of the fast searcher are not
 * worth their preparation. Only private chains are that easy.
 */
const EASY = 50n;

/**
 * Searches with the fast searcher for RandomX that it supports and that is worth its preparation, and with the slow one for
 * everything else.
 */
class ChoosingSearcher implements NonceSearcher {
  readonly #fast: ClosableSearcher;
  readonly #slow: NonceSearcher;

  constructor(fast: ClosableSearcher, slow: NonceSearcher) {
    this.#fast = fast;
    this.#slow = slow;
  }

  get name(): string {
    return this.#fast.name;
  }

  async search(search: NonceSearch): Promise<NonceSearchResult> {
    const { request, difficulty } = search;
    const isFast =
      isRandomx(request) && difficulty >= EASY && (await this.#fast.supports(request.kind));
    return (isFast ? this.#fast : this.#slow).search(search);
  }

  release(): Promise<void> {
    return this.#fast.release();
  }
}
