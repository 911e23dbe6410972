import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { FamilyHasher } from '../composite-hasher.ts';
import type { LibraryFacts } from '../engine-options.ts';
import { PowUnavailableError } from '../errors.ts';
import type { RandomxRequest, RandomxVersion } from '../pow-hasher.ts';
import { addonError } from './addon.ts';
import type { NativeRandomxHasher } from './hasher.ts';

/** A known answer of version 2. Source: src/tests/tests.cpp of tevador/RandomX v2.0. */
const KNOWN = {
  key: utf8ToBytes('test key 000'),
  blob: utf8ToBytes('This is a test'),
  hash: '22ec6b861b3eb23686b2efbad69513c967ecfce80983df66c9c5b4fbfb4cdb6f',
};

const REASON =
  'the installed librandomx has no RandomX version 2, so WebAssembly computes it, more slowly: ' +
  'install librandomx 2.0 or later and build the addon again';

/** Options of {@link NativeVersions}. */
export interface NativeVersionsOptions {
  /** Returns a hasher for version 2. */
  readonly createFallback: () => FamilyHasher<RandomxRequest>;
  /** Called once, with the reason, when the other hasher takes over. */
  readonly onFallback?: ((reason: string) => void) | undefined;
  /** What is known of the library already; shared with other hashers that use it. */
  readonly facts?: LibraryFacts | undefined;
}

/**
 * Computes version 1 with librandomx, and version 2 too if it has that; otherwise with another hasher. Whether it has is
 * found out at the first request for version 2, from a known answer: the flag alone is ignored by older libraries.
 */
export class NativeVersions implements FamilyHasher<RandomxRequest> {
  readonly #native: NativeRandomxHasher;
  readonly #options: NativeVersionsOptions;
  readonly #facts: LibraryFacts;
  #fallback: FamilyHasher<RandomxRequest> | undefined;
  #isClosed = false;

  constructor(native: NativeRandomxHasher, options: NativeVersionsOptions) {
    this.#native = native;
    this.#options = options;
    this.#facts = options.facts ?? { hasV2: undefined };
  }

  get name(): string {
    const { name } = this.#native;
    return this.#fallback === undefined ? name : `${name}; version 2 in WebAssembly`;
  }

  get seedsHeld(): number {
    return this.#native.seedsHeld + (this.#fallback?.seedsHeld ?? 0);
  }

  get seedsKept(): number {
    return this.#fallback?.seedsKept ?? this.#native.seedsKept;
  }

  /**
   * Returns whether librandomx computes this version. The first question about version 2 takes 256 MiB for a second.
   * Throws PowUnavailableError ('no-memory', 'failed'); the next call asks again.
   */
  isNative(version: RandomxVersion): Promise<boolean> {
    if (version === 'randomx') return Promise.resolve(true);
    const facts = this.#facts;
    facts.hasV2 ??= this.#askForV2().catch((error: unknown) => {
      facts.hasV2 = undefined;
      throw addonError(error);
    });
    return facts.hasV2;
  }

  /** Returns the 32-byte hash. Throws PowUnavailableError, and the errors of the other hasher. */
  async hash(request: RandomxRequest): Promise<Uint8Array> {
    // Copies: the caller may change its bytes while the library is asked.
    const seedHash = Uint8Array.from(request.seedHash);
    const blob = Uint8Array.from(request.blob);
    const hasher = await this.#hasherOf(request.kind);
    return hasher.hash({ kind: request.kind, seedHash, blob });
  }

  /** Makes the cache of a seed for a version. Throws as `hash` does. */
  async prepare(seedHash: Uint8Array, version: RandomxVersion = 'randomx'): Promise<void> {
    const hasher = await this.#hasherOf(version);
    await hasher.prepare?.(seedHash, version);
  }

  /** See `PowHasher.expect`. Only librandomx has datasets; those of hashes that WebAssembly computes are never made. */
  expect(seedHash: Uint8Array, blocks: number): void {
    if (this.#fallback === undefined) this.#native.expect(seedHash, blocks);
  }

  /** See `PowHasher.ready`. */
  async ready(seedHash: Uint8Array, version: RandomxVersion): Promise<void> {
    const isNative = version === 'randomx' || this.#fallback === undefined;
    if (isNative) await this.#native.ready(seedHash);
  }

  /** Frees the memory once running hashes are done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#facts.hasV2?.catch(() => undefined);
    await Promise.all([this.#native.close(), this.#fallback?.close()]);
  }

  async #hasherOf(version: RandomxVersion): Promise<FamilyHasher<RandomxRequest>> {
    this.#assertOpen();
    if (await this.isNative(version)) return this.#native;
    // Nobody would close another hasher if this one was closed meanwhile.
    this.#assertOpen();
    this.#fallback ??= this.#takeOver();
    return this.#fallback;
  }

  #assertOpen(): void {
    if (this.#isClosed) {
      throw new PowUnavailableError('closed', 'the proof-of-work hasher is closed');
    }
  }

  #takeOver(): FamilyHasher<RandomxRequest> {
    this.#options.onFallback?.(REASON);
    return this.#options.createFallback();
  }

  async #askForV2(): Promise<boolean> {
    const { addon, disabledFlags } = this.#native;
    const cache = await addon.initCache('rx/0', KNOWN.key, disabledFlags);
    try {
      return bytesToHex(await addon.hash(cache, KNOWN.blob, true)) === KNOWN.hash;
    } finally {
      await addon.release(cache);
    }
  }
}
