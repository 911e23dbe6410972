import type { NonceSearcher, PowHasher, PowRequest } from '../pow-hasher.ts';

interface Engine {
  readonly hasher: PowHasher;
  users: number;
}

/** The engine that computes all hashes, and its replacements once it is no longer to be trusted. */
export class MainEngine {
  readonly #create: () => PowHasher;
  #current: Engine;
  /** Engines that searches for nonces still use. */
  readonly #kept: PowHasher[] = [];
  #hasSearchers = false;

  /** Throws the errors of `create`. */
  constructor(create: () => PowHasher) {
    this.#create = create;
    this.#current = { hasher: create(), users: 0 };
  }

  get name(): string {
    return this.#current.hasher.name;
  }

  /** Returns the 32-byte hash. Throws the errors of the engine. */
  async hash(request: PowRequest): Promise<Uint8Array> {
    const engine = this.#current;
    engine.users++;
    try {
      return await engine.hasher.hash(request);
    } finally {
      engine.users--;
      if (engine !== this.#current) this.#release(engine);
    }
  }

  createNonceSearcher(): NonceSearcher | undefined {
    const searcher = this.#current.hasher.createNonceSearcher?.();
    if (searcher !== undefined) this.#hasSearchers = true;
    return searcher;
  }

  /** Replaces the engine by a new one, whose cache is made anew. The old one is closed once it is idle. */
  renew(): void {
    const old = this.#current;
    this.#current = { hasher: this.#create(), users: 0 };
    if (this.#hasSearchers) this.#kept.push(old.hasher);
    else this.#release(old);
    this.#hasSearchers = false;
  }

  #release({ hasher, users }: Engine): void {
    if (users === 0 && !this.#kept.includes(hasher)) hasher.close().catch(() => undefined);
  }

  async close(): Promise<void> {
    const all = [...this.#kept.splice(0), this.#current.hasher];
    await Promise.all(all.map((hasher) => hasher.close()));
  }
}
