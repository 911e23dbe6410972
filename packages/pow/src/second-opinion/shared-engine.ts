import type { NonceSearcher, PowHasher, PowRequest } from '../pow-hasher.ts';
import { withinMilliseconds } from './time-limit.ts';

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

  /** Whether nobody waits for a hash. A hash that took too long has nobody who waits for it. */
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
  prepare(seedHash: Uint8Array): Promise<void> {
    return this.#limited(async () => this.#hasher.prepare?.(seedHash));
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
