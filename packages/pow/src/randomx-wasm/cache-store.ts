import { bytesToHex } from '@noble/hashes/utils.js';
import { PowUnavailableError } from '../errors.ts';
import { createCacheMemory, type RandomxCache } from './cache.ts';
import type { SharedMemory } from '../webassembly.ts';

/** Uses of existing caches that may overtake a caller that waits for another cache. */
const MAX_OVERTAKING = 64;

/** A cache in use. */
export interface CacheUse {
  readonly cache: RandomxCache;
  /** No other cache of this store has or had the number. */
  readonly number: number;
}

interface Entry {
  readonly key: string;
  readonly memory: SharedMemory;
  readonly use: Promise<CacheUse>;
  users: number;
}

interface Waiting {
  readonly key: string;
  readonly seed: Uint8Array;
  readonly resolve: (entry: Entry) => void;
  readonly reject: (reason: unknown) => void;
}

/** Computes the cache of a seed in the given memory. */
export type MakeCache = (memory: SharedMemory, seed: Uint8Array) => Promise<RandomxCache>;

/**
 * Holds caches by seed, in a fixed number of memories that are reused: released memory would stay allocated until
 * every thread had collected garbage. A caller that needs another seed waits until a cache has no users; the cache used
 * longest ago is replaced.
 */
export class CacheStore {
  readonly #capacity: number;
  readonly #make: MakeCache;
  /** Ordered by last use, oldest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #free: SharedMemory[] = [];
  #waiting: Waiting[] = [];
  #overtaking = 0;
  #made = 0;
  #isClosed = false;

  /** @param capacity most caches at once; each takes 256 MiB from its first use on */
  constructor(capacity: number, make: MakeCache) {
    this.#capacity = capacity;
    this.#make = make;
  }

  /** Number of caches held. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Runs the task with the seed's cache, which does not change until the task settles.
   *
   * Throws PowUnavailableError ('closed', 'no-memory'), and rethrows errors of the task.
   */
  async use<T>(seed: Uint8Array, task: (use: CacheUse) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closed();
    const entry = await this.#enter(seed);
    try {
      return await task(await entry.use);
    } finally {
      entry.users--;
      this.#admit();
    }
  }

  /** Forgets all caches and rejects callers that wait for one. The caller must end running tasks by other means. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
    this.#entries.clear();
    this.#free.length = 0;
  }

  #enter(seed: Uint8Array): Promise<Entry> {
    const key = bytesToHex(seed);
    const entry = this.#entries.get(key);
    if (this.#waiting.length === 0 || (entry && this.#overtaking < MAX_OVERTAKING)) {
      if (this.#waiting.length > 0) this.#overtaking++;
      const entered = this.#tryEnter(key, seed);
      if (entered) return Promise.resolve(entered);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, seed: Uint8Array.from(seed), resolve, reject });
    });
  }

  /** Returns the entry with one more user, or undefined when there is no room for it. */
  #tryEnter(key: string, seed: Uint8Array): Entry | undefined {
    const entry = this.#entries.get(key) ?? this.#create(key, seed);
    if (entry === undefined) return undefined;
    entry.users++;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  #create(key: string, seed: Uint8Array): Entry | undefined {
    const memory = this.#takeMemory();
    if (memory === undefined) return undefined;
    const number = this.#made++;
    const use = this.#make(memory, seed).then((cache) => ({ cache, number }));
    const entry: Entry = { key, memory, use, users: 0 };
    this.#entries.set(key, entry);
    // If a cache could not be made, the next use must try again.
    use.catch(() => this.#drop(entry));
    return entry;
  }

  #takeMemory(): SharedMemory | undefined {
    const free = this.#free.pop();
    if (free) return free;
    if (this.#entries.size < this.#capacity) return createCacheMemory();
    for (const entry of this.#entries.values()) {
      if (entry.users > 0) continue;
      this.#entries.delete(entry.key);
      return entry.memory;
    }
    return undefined;
  }

  #drop(entry: Entry): void {
    if (this.#entries.get(entry.key) !== entry) return;
    this.#entries.delete(entry.key);
    this.#free.push(entry.memory);
    this.#admit();
  }

  /** Admits waiting callers in order while there is room, and with each all that wait for the same seed. */
  #admit(): void {
    while (this.#waiting.length > 0) {
      const [first] = this.#waiting as [Waiting, ...Waiting[]];
      try {
        const entry = this.#tryEnter(first.key, first.seed);
        if (entry === undefined) return;
        this.#overtaking = 0;
        entry.users--;
        const isAdmitted = ({ key }: Waiting) => key === first.key;
        for (const { resolve } of this.#waiting.filter(isAdmitted)) {
          entry.users++;
          resolve(entry);
        }
        this.#waiting = this.#waiting.filter((waiting) => !isAdmitted(waiting));
      } catch (error) {
        this.#waiting.shift();
        first.reject(error);
      }
    }
  }
}

function closed(): PowUnavailableError {
  return new PowUnavailableError('closed', 'the proof-of-work hasher is closed');
}
