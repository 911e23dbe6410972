import { monotonicMilliseconds, Semaphore, TokenBucket } from '@monero-node/base';
import { PowInputError, PowUnavailableError } from '../errors.ts';
import { HashingNonceSearcher } from '../nonce-searcher.ts';
import type { NonceSearcher, PowHasher, PowRequest } from '../pow-hasher.ts';
import type { PowIncident } from './incident.ts';
import { MainEngine } from './main-engine.ts';
import { OnDemandHasher } from './on-demand-hasher.ts';
import { withinMilliseconds } from './time-limit.ts';

/** Longest time for one hash, the cache included; far more than a slow machine needs. */
const ANSWER_MS = 120_000;
/** Confirmed refusals per second, and the seconds for which they are saved up: 20 at once, then 20 a minute. */
const REFUSALS_PER_SECOND = 1 / 3;
const REFUSALS_SAVED_SECONDS = 60;

/** The engines of a {@link ConfirmingHasher}; each function returns a new one. */
export interface ConfirmingEngines {
  /** The engine for all hashes. */
  readonly main: () => PowHasher;
  /** An engine that shares nothing with `main`, if possible another implementation. */
  readonly second: () => PowHasher;
  /** One that decides when those two disagree. */
  readonly third: () => PowHasher;
}

export interface ConfirmingOptions {
  /** Number of hashes that `main` computes at the same time. */
  readonly threads: number;
  /** Called when an engine was found to fail. */
  readonly onIncident?: ((incident: PowIncident) => void) | undefined;
  /** Milliseconds after which a hash counts as failed; 120,000 when absent. */
  readonly answerMilliseconds?: number | undefined;
  /** For tests: the milliseconds by which confirmed refusals are counted. */
  readonly now?: (() => number) | undefined;
}

interface Vote {
  readonly engine: string;
  readonly hash: Uint8Array;
}

/**
 * Computes hashes with one engine, and asks others before one of its hashes may count against a block. A hash that
 * fails is computed by the second engine instead.
 */
export class ConfirmingHasher implements PowHasher {
  readonly #main: MainEngine;
  readonly #second: OnDemandHasher;
  readonly #engines: ConfirmingEngines;
  readonly #options: ConfirmingOptions;
  /** Keeps the queue here, so that the time of a hash does not include that of others. */
  readonly #running: Semaphore;
  readonly #refusals: TokenBucket;
  #hangs = false;
  #isClosed = false;

  /** Throws the errors of `engines.main`. */
  constructor(engines: ConfirmingEngines, options: ConfirmingOptions) {
    const { threads, now = monotonicMilliseconds } = options;
    this.#engines = engines;
    this.#options = options;
    this.#main = new MainEngine(engines.main);
    this.#second = new OnDemandHasher(engines.second);
    this.#running = new Semaphore(Math.max(1, threads));
    this.#refusals = new TokenBucket(REFUSALS_PER_SECOND, now, REFUSALS_SAVED_SECONDS);
  }

  get name(): string {
    return this.#main.name;
  }

  hash(request: PowRequest): Promise<Uint8Array> {
    return this.#running.run(async () => {
      const engine = this.name;
      try {
        return await this.#within(this.#main.hash(request));
      } catch (error) {
        if (error instanceof PowInputError || this.#isClosed) throw error;
        this.#failed(engine, error);
        if (isTimeout(error)) this.#main.renew();
        return (await this.#within(this.#second.hash(request))).hash;
      }
    });
  }

  async confirm(request: PowRequest, hash: Uint8Array): Promise<Uint8Array> {
    if (this.#refusals.take(0) > 0) {
      const message = 'too many blocks with bad proof of work were refused in the last minute';
      throw new PowUnavailableError('too-many-refusals', message);
    }
    const votes: Vote[] = [{ engine: this.name, hash }];
    for (const ask of [this.#askSecond, this.#askThird]) {
      const vote = await this.#vote(() => ask.call(this, request));
      if (vote === undefined) continue;
      const agrees = votes.some((other) => isEqual(other.hash, vote.hash));
      votes.push(vote);
      if (agrees) return this.#decide(request, votes, vote.hash);
    }
    this.#main.renew();
    this.#second.discard();
    const given = votes.map((vote) => `${vote.engine}: ${hex(vote.hash)}`).join(', ');
    const message = `no two computations of a proof of work agree (${given})`;
    throw new PowUnavailableError('disagreement', message);
  }

  createNonceSearcher(): NonceSearcher {
    return this.#main.createNonceSearcher() ?? new HashingNonceSearcher(this);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = Promise.all([this.#main.close(), this.#second.close()]);
    // An engine that hangs would never be done with its hash.
    if (this.#hangs) closed.catch(() => undefined);
    else await closed;
  }

  #askSecond(request: PowRequest): Promise<Vote> {
    return this.#within(this.#second.hash(request));
  }

  async #askThird(request: PowRequest): Promise<Vote> {
    const third = new OnDemandHasher(this.#engines.third);
    try {
      return await this.#within(third.hash(request));
    } finally {
      await third.close();
    }
  }

  /** Returns undefined when the engine fails. */
  async #vote(ask: () => Promise<Vote>): Promise<Vote | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof PowInputError || this.#isClosed) throw error;
      this.#failed('the confirming engine', error);
      return undefined;
    }
  }

  /** Returns the hash on which two engines agree, after replacing and reporting the engine that differs. */
  #decide(request: PowRequest, votes: readonly Vote[], right: Uint8Array): Uint8Array {
    for (const [position, { engine, hash }] of votes.entries()) {
      if (isEqual(hash, right)) continue;
      this.#options.onIncident?.({ kind: 'wrong-hash', engine, request, wrong: hash, right });
      // Its cache may be damaged.
      if (position === 0) this.#main.renew();
      else this.#second.discard();
    }
    if (isEqual((votes[0] as Vote).hash, right)) this.#refusals.take(1);
    return right;
  }

  #failed(engine: string, error: unknown): void {
    this.#hangs ||= isTimeout(error);
    this.#options.onIncident?.({ kind: 'no-hash', engine, error });
  }

  #within<T>(work: Promise<T>): Promise<T> {
    return withinMilliseconds(this.#options.answerMilliseconds ?? ANSWER_MS, work);
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof PowUnavailableError && error.code === 'timed-out';
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
