import { PowUnavailableError } from '../errors.ts';
import type { NonceSearcher, PowHasher, PowRequest, RandomxVersion } from '../pow-hasher.ts';

/** Milliseconds without a hash after which the engine is closed: its cache takes 256 MiB. */
const IDLE_MS = 300_000;

/** A hash, and the engine that computed it. */
export interface ComputedHash {
  readonly engine: SharedEngine;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** An engine whose hashes take a limited time, and which can be closed as soon as nobody waits for one. */
export class SharedEngine {
  readonly #hasher: PowHasher;
  readonly #milliseconds: number;
  #users = 0;
  #isRetired = false;

  /** @param milliseconds longest time for one hash */
  constructor(hasher: PowHasher, milliseconds: number) {
    this.#hasher = hasher;
    this.#milliseconds = milliseconds;
  }

  get name(): string {
    return this.#hasher.name;
  }

  get seedsHeld(): number {
    return this.#hasher.seedsHeld ?? 0;
  }

  /** Whether nothing waits for a hash. Nothing waits for one that timed out. */
  get isIdle(): boolean {
    return this.#users === 0;
  }

  /** Returns the 32-byte hash. Throws the errors of the engine, and PowUnavailableError 'timed-out'. */
  hash(request: PowRequest): Promise<Uint8Array> {
    return this.#limited(() => this.#hasher.hash(request));
  }

  get seedsKept(): number {
    return this.#hasher.seedsKept ?? 0;
  }

  /** Makes the cache of a seed (32 bytes). Throws the errors of the engine, and PowUnavailableError 'timed-out'. */
  prepare(seedHash: Uint8Array, version?: RandomxVersion): Promise<void> {
    return this.#limited(async () => this.#hasher.prepare?.(seedHash, version));
  }

  /** See `PowHasher.expect`. */
  expect(seedHash: Uint8Array, blocks: number): void {
    this.#hasher.expect?.(seedHash, blocks);
  }

  /** See `PowHasher.ready`. */
  async ready(seedHash: Uint8Array, version: RandomxVersion): Promise<void> {
    await this.#hasher.ready?.(seedHash, version);
  }

  createNonceSearcher(): NonceSearcher | undefined {
    return this.#hasher.createNonceSearcher?.();
  }

  /** Closes the engine once nobody waits for a hash. Returns at once, as the engine may hang. */
  retire(): void {
    this.#isRetired = true;
    this.#closeIfUnused();
  }

  /** Closes the engine now. An engine that hangs may never be done with it. */
  close(): Promise<void> {
    return this.#hasher.close();
  }

  async #limited<T>(work: () => Promise<T>): Promise<T> {
    this.#users++;
    try {
      return await withinMilliseconds(this.#milliseconds, work());
    } finally {
      this.#users--;
      this.#closeIfUnused();
    }
  }

  #closeIfUnused(): void {
    if (this.#isRetired && this.isIdle) this.close().catch(() => undefined);
  }
}

/** The engine that computes all hashes, and its replacements once it is no longer to be trusted. */
export class MainEngine {
  readonly #create: () => SharedEngine;
  #current: SharedEngine;
  /** Engines that searches for nonces still use. */
  readonly #kept: SharedEngine[] = [];
  #hasSearchers = false;

  /** Throws the errors of `create`. */
  constructor(create: () => SharedEngine) {
    this.#create = create;
    this.#current = create();
  }

  get current(): SharedEngine {
    return this.#current;
  }

  createNonceSearcher(): NonceSearcher | undefined {
    const searcher = this.#current.createNonceSearcher();
    if (searcher !== undefined) this.#hasSearchers = true;
    return searcher;
  }

  /**
   * Replaces `failed` by a new engine, whose cache is made anew, unless that has been done. The old one is closed once
   * it is idle.
   */
  renew(failed: SharedEngine): void {
    if (failed !== this.#current) return;
    this.#current = this.#create();
    if (this.#hasSearchers) this.#kept.push(failed);
    else failed.retire();
    this.#hasSearchers = false;
  }

  async close(): Promise<void> {
    const all = [...this.#kept.splice(0), this.#current];
    await Promise.all(all.map((engine) => engine.close()));
  }
}

/**
 * An engine that is created with the first hash and closed when it has not been used for five minutes. One that takes
 * too long for a hash is replaced.
 */
export class OnDemandHasher {
  readonly #create: () => SharedEngine;
  #engine: SharedEngine | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(create: () => SharedEngine) {
    this.#create = create;
  }

  /** Throws PowUnavailableError and PowInputError. */
  async hash(request: PowRequest): Promise<ComputedHash> {
    if (this.#isClosed) {
      throw new PowUnavailableError('closed', 'the proof-of-work hasher is closed');
    }
    this.#engine ??= this.#create();
    const engine = this.#engine;
    clearTimeout(this.#timer);
    try {
      return { engine, hash: await engine.hash(request) };
    } catch (error) {
      // The next hash would wait as long.
      if (isTimeout(error)) this.discard(engine);
      throw error;
    } finally {
      if (engine === this.#engine && engine.isIdle) this.#closeLater(engine);
    }
  }

  /**
   * Drops `engine`, unless that has been done: the next hash creates another one. It is closed once nobody waits for
   * a hash. Returns at once, as the engine may hang.
   */
  discard(engine: SharedEngine): void {
    if (engine !== this.#engine) return;
    clearTimeout(this.#timer);
    this.#engine = undefined;
    engine.retire();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const engine = this.#engine;
    if (engine === undefined) return;
    this.#engine = undefined;
    const closed = engine.close();
    // An engine that hangs would never be done with its hash.
    if (engine.isIdle) await closed;
    else closed.catch(() => undefined);
  }

  #closeLater(engine: SharedEngine): void {
    this.#timer = setTimeout(() => this.discard(engine), IDLE_MS);
    this.#timer.unref();
  }
}

/**
 * Returns what `work` resolves with.
 *
 * Throws PowUnavailableError 'timed-out' when it takes longer than that many milliseconds; the work then goes on, and
 * its outcome is dropped.
 */
async function withinMilliseconds<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `no proof-of-work hash within ${milliseconds / 1000} s`;
      reject(new PowUnavailableError('timed-out', message));
    }, milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns whether work took too long, as {@link SharedEngine} reports it. */
export function isTimeout(error: unknown): boolean {
  return error instanceof PowUnavailableError && error.code === 'timed-out';
}
