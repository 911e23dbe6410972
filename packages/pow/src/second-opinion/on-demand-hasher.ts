import { PowUnavailableError } from '../errors.ts';
import type { PowRequest } from '../pow-hasher.ts';
import type { ComputedHash, SharedEngine } from './shared-engine.ts';
import { isTimeout } from './time-limit.ts';

/** Milliseconds without a hash after which the engine is closed: its cache takes 256 MiB. */
const IDLE_MS = 300_000;

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
