import { PowUnavailableError } from '../errors.ts';
import type { PowHasher, PowRequest } from '../pow-hasher.ts';

/** Milliseconds without a hash after which the engine is closed: its cache takes 256 MiB. */
const IDLE_MS = 300_000;

/** An engine that is created with the first hash and closed when it has not been used for five minutes. */
export class OnDemandHasher {
  readonly #create: () => PowHasher;
  #engine: PowHasher | undefined;
  #users = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(create: () => PowHasher) {
    this.#create = create;
  }

  /** Returns the name of the engine and the 32-byte hash. Throws PowUnavailableError and PowInputError. */
  async hash(request: PowRequest): Promise<{ engine: string; hash: Uint8Array }> {
    if (this.#isClosed) {
      throw new PowUnavailableError('closed', 'the proof-of-work hasher is closed');
    }
    this.#engine ??= this.#create();
    const engine = this.#engine;
    this.#users++;
    clearTimeout(this.#timer);
    try {
      return { engine: engine.name, hash: await engine.hash(request) };
    } finally {
      this.#users--;
      if (this.#users === 0) this.#closeLater();
    }
  }

  /** Closes the engine; the next hash creates another one. Does not wait, as the engine may hang. */
  discard(): void {
    clearTimeout(this.#timer);
    this.#engine?.close().catch(() => undefined);
    this.#engine = undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#users > 0) this.discard();
    else await this.#engine?.close();
  }

  #closeLater(): void {
    this.#timer = setTimeout(() => this.discard(), IDLE_MS);
    this.#timer.unref();
  }
}
