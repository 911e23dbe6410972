import { abytes, bytesToHex } from '@noble/hashes/utils.js';
import { BoundedMap, monotonicMilliseconds, Semaphore, TokenBucket } from '@monero-node/base';
import { PowInputError, PowUnavailableError } from '../errors.ts';
import { HashingNonceSearcher } from '../nonce-searcher.ts';
import type { NonceSearcher, PowHasher, PowRequest, RandomxVersion } from '../pow-hasher.ts';
import { isRandomx } from '../randomx.ts';
import type { PowIncident } from './incident.ts';
import {
  isTimeout,
  MainEngine,
  OnDemandHasher,
  SharedEngine,
  type ComputedHash,
} from './engines.ts';

/** Longest time for one hash, the cache included; far more than a slow machine needs. */
const ANSWER_MS = 120_000;
/**
 * Confirmed refusals and attempts without result per second, and the seconds for which they are saved up: 20 at once,
 * then 20 a minute.
 */
const REFUSALS_PER_SECOND = 1 / 3;
const REFUSALS_SAVED_SECONDS = 60;

/** Hashes that are remembered, and the largest blob of one in bytes: that of a block has 76 or a few more. */
const RECENT_HASHES = 64;
const LARGEST_BLOB = 128;

/** Where a hash that was given out comes from. */
interface Origin {
  readonly engine: SharedEngine;
  readonly isMain: boolean;
  /** Names the request among the remembered ones; undefined when it is not to be remembered. */
  readonly key: string | undefined;
  /** A copy: the receiver may change its own. */
  readonly hash: Uint8Array;
}

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

/**
 * Computes hashes with one engine, and asks others before one of its hashes may count against a block. A hash that
 * fails is computed by the second engine instead.
 */
export class ConfirmingHasher implements PowHasher {
  readonly #main: MainEngine;
  readonly #second: OnDemandHasher;
  readonly #createThird: () => SharedEngine;
  readonly #options: ConfirmingOptions;
  /** Keeps the queue here, so that the time of a hash does not include that of others. */
  readonly #running: Semaphore;
  /** Hashes of old seeds: one at a time, as the second engine has one cache. */
  readonly #aside = new Semaphore(1);
  readonly #refusals: TokenBucket;
  /** Hashes of the present main engine that somebody else has computed too, each for one more use. */
  readonly #recent = new BoundedMap<string, Origin>(RECENT_HASHES);
  /** By the hash given out: no engine must confirm its own hash, or be blamed for that of another. */
  readonly #origins = new WeakMap<Uint8Array, Origin>();
  #hangs = false;
  #isClosed = false;

  /** Throws the errors of `engines.main`. */
  constructor(engines: ConfirmingEngines, options: ConfirmingOptions) {
    const { threads, answerMilliseconds = ANSWER_MS, now = monotonicMilliseconds } = options;
    const sharing = (create: () => PowHasher) => () =>
      new SharedEngine(create(), answerMilliseconds);
    this.#options = options;
    this.#main = new MainEngine(sharing(engines.main));
    this.#second = new OnDemandHasher(sharing(engines.second));
    this.#createThird = sharing(engines.third);
    this.#running = new Semaphore(Math.max(1, threads));
    this.#refusals = new TokenBucket(REFUSALS_PER_SECOND, now, REFUSALS_SAVED_SECONDS);
  }

  get name(): string {
    return this.#main.current.name;
  }

  get seedsHeld(): number {
    return this.#main.current.seedsHeld;
  }

  get seedsKept(): number {
    return this.#main.current.seedsKept;
  }

  /** Takes no hash's turn. A failure is no incident: the first hash finds it again. */
  prepare(seedHash: Uint8Array, version?: RandomxVersion): Promise<void> {
    return this.#main.current.prepare(seedHash, version);
  }

  /** Only the main engine prepares itself: the others compute single hashes. */
  expect(seedHash: Uint8Array, blocks: number): void {
    this.#main.current.expect(seedHash, blocks);
  }

  /** Rejects with TypeError too, for a request whose blob or seed hash is not bytes. */
  async hash(request: PowRequest): Promise<Uint8Array> {
    abytes(request.blob, undefined, 'blob');
    if (isRandomx(request)) abytes(request.seedHash, undefined, 'seedHash');
    // The caller may change its bytes while the hash waits for its turn.
    const own = copyOf(request);
    const key = keyOf(own);
    if (isRandomx(own)) {
      // Before its turn: hashes of other seeds, and of other algorithms, go on meanwhile.
      await this.#main.current.ready(own.seedHash, own.kind);
    }
    const known = this.#takeRemembered(key);
    if (known !== undefined) return known;
    return this.#running.run(async () => {
      const engine = this.#main.current;
      try {
        const hash = await engine.hash(own);
        this.#origins.set(hash, { engine, isMain: true, key, hash: Uint8Array.from(hash) });
        return hash;
      } catch (error) {
        if (error instanceof PowInputError || this.#isClosed) throw error;
        this.#failed(engine.name, error);
        if (isTimeout(error)) this.#renewMain(engine);
        const second = await this.#second.hash(own);
        const { hash } = second;
        this.#origins.set(hash, { engine: second.engine, isMain: false, key: undefined, hash });
        return hash;
      }
    });
  }

  remember(hash: Uint8Array): void {
    const origin = this.#origins.get(hash);
    // Whatever an engine computed that has been replaced since may be wrong.
    if (origin?.key === undefined || origin.engine !== this.#main.current) return;
    this.#recent.set(origin.key, origin);
  }

  /**
   * Lets the second engine compute the hash, whose only cache serves confirmations as well: hashes of many seeds take no
   * further memory. The main engine computes what the second one fails to, and CryptoNight, which needs no cache.
   */
  async hashAside(request: PowRequest): Promise<Uint8Array> {
    if (!isRandomx(request)) return this.hash(request);
    return this.#aside.run(async () => {
      try {
        return (await this.#second.hash(request)).hash;
      } catch (error) {
        if (error instanceof PowInputError || this.#isClosed) throw error;
        this.#failed('the second engine', error);
        return this.hash(request);
      }
    });
  }

  async confirm(request: PowRequest, hash: Uint8Array): Promise<Uint8Array> {
    // Whoever doubts a hash wants another one next time.
    const key = keyOf(request);
    if (key !== undefined) this.#recent.delete(key);
    if (this.#refusals.take(0) > 0) {
      const message = 'too many blocks with bad proof of work were refused in the last minute';
      throw new PowUnavailableError('too-many-refusals', message);
    }
    // Before the first wait: however many ask at once, each costs time and maybe two caches.
    this.#refusals.take(1);
    const origin = this.#origins.get(hash);
    const votes: ComputedHash[] = [{ engine: origin?.engine ?? this.#main.current, hash }];
    const isSecond = origin?.isMain === false;
    const others = isSecond ? [this.#askThird] : [this.#askSecond, this.#askThird];
    for (const ask of others) {
      const vote = await this.#vote(() => ask.call(this, request));
      if (vote === undefined) continue;
      const agrees = votes.some((other) => isEqual(other.hash, vote.hash));
      votes.push(vote);
      if (agrees) return this.#decide(request, votes, vote.hash);
    }
    throw votes.length === 1 ? unconfirmed() : this.#disagreement(votes);
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

  /**
   * Returns a copy of a remembered hash, and forgets it: whoever comes to doubt it, in a guess too, has it computed anew
   * next time.
   */
  #takeRemembered(key: string | undefined): Uint8Array | undefined {
    const origin = key === undefined ? undefined : this.#recent.get(key);
    if (key === undefined || origin === undefined || this.#isClosed) return undefined;
    this.#recent.delete(key);
    const hash = Uint8Array.from(origin.hash);
    this.#origins.set(hash, origin);
    return hash;
  }

  #askSecond(request: PowRequest): Promise<ComputedHash> {
    return this.#second.hash(request);
  }

  async #askThird(request: PowRequest): Promise<ComputedHash> {
    const third = new OnDemandHasher(this.#createThird);
    try {
      return await third.hash(request);
    } finally {
      await third.close();
    }
  }

  /** Returns undefined when the engine fails. */
  async #vote(ask: () => Promise<ComputedHash>): Promise<ComputedHash | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof PowInputError || this.#isClosed) throw error;
      this.#failed('the confirming engine', error);
      return undefined;
    }
  }

  /** Returns the hash on which two engines agree, after replacing and reporting the engine that differs. */
  #decide(request: PowRequest, votes: readonly ComputedHash[], right: Uint8Array): Uint8Array {
    for (const { engine, hash } of votes) {
      if (isEqual(hash, right)) continue;
      const { name } = engine;
      this.#options.onIncident?.({ kind: 'wrong-hash', engine: name, request, wrong: hash, right });
      this.#replace(engine);
    }
    // No refusal, but a fault of our own.
    if (!isEqual((votes[0] as ComputedHash).hash, right)) this.#refusals.take(-1);
    return right;
  }

  /** Returns the error for hashes that all differ, after replacing the engines. */
  #disagreement(votes: readonly ComputedHash[]): PowUnavailableError {
    for (const { engine } of votes) this.#replace(engine);
    const given = votes.map(({ engine, hash }) => `${engine.name}: ${bytesToHex(hash)}`).join(', ');
    const message = `no two computations of a proof of work agree (${given})`;
    return new PowUnavailableError('disagreement', message);
  }

  /** Replaces an engine whose cache may be damaged. */
  #replace(engine: SharedEngine): void {
    this.#renewMain(engine);
    this.#second.discard(engine);
  }

  /** Replaces the main engine if it is this one, and forgets its hashes. */
  #renewMain(engine: SharedEngine): void {
    if (engine !== this.#main.current) return;
    this.#main.renew(engine);
    this.#recent.clear();
  }

  #failed(engine: string, error: unknown): void {
    this.#hangs ||= isTimeout(error);
    this.#options.onIncident?.({ kind: 'no-hash', engine, error });
  }
}

function unconfirmed(): PowUnavailableError {
  const message = 'a proof of work seems bad, and no other engine could compute it';
  return new PowUnavailableError('unconfirmed', message);
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Returns the request with bytes of its own. */
function copyOf(request: PowRequest): PowRequest {
  const blob = Uint8Array.from(request.blob);
  if (!isRandomx(request)) {
    const { kind, variant, height } = request;
    return { kind, variant, height, blob };
  }
  const { kind, seedHash, commitment = false } = request;
  return { kind, seedHash: Uint8Array.from(seedHash), blob, commitment };
}

/** Returns what names a request among the remembered ones; undefined for one that is not remembered. */
function keyOf(request: PowRequest): string | undefined {
  if (!isRandomx(request) || request.blob.length > LARGEST_BLOB) return undefined;
  const { kind, seedHash, blob, commitment = false } = request;
  return `${kind} ${commitment} ${bytesToHex(seedHash)} ${bytesToHex(blob)}`;
}
