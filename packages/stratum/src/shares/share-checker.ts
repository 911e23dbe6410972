import { Mutex, TokenBucket, type Logger, type MillisecondClock } from '@monero-node/base';
import { bytesEqual } from '@monero-node/codec';
import type { PowHasher, PowRequest } from '@monero-node/pow';
import type { StratumLimits } from '../options.ts';

/** What became of a claim: `unchecked` when too many wait, or no hash could be computed. */
export type Verdict = 'right' | 'wrong' | 'unchecked';

/** Seconds of second opinions that are saved up. */
const SAVED_SECONDS = 120;

/**
 * Computes hashes that rigs claim, one at a time, so that the other threads stay free for blocks. A bounded number of shares
 * waits.
 */
export class ShareChecker {
  readonly #pow: Pick<PowHasher, 'hash' | 'confirm' | 'remember'>;
  readonly #logger: Logger;
  readonly #mostWaiting: number;
  readonly #turns = new Mutex();
  readonly #opinionTurns = new Mutex();
  readonly #opinions: TokenBucket;
  #waiting = 0;

  constructor(
    pow: Pick<PowHasher, 'hash' | 'confirm' | 'remember'>,
    logger: Logger,
    limits: Pick<StratumLimits, 'waitingChecks' | 'opinionsPerMinute'>,
    now: MillisecondClock,
  ) {
    this.#pow = pow;
    this.#logger = logger;
    this.#mostWaiting = limits.waitingChecks;
    this.#opinions = new TokenBucket(limits.opinionsPerMinute / 60, now, SAVED_SECONDS);
  }

  /**
   * Resolves to whether a request has this hash, 32 bytes.
   *
   * @param isWanted asked when it is the turn of this share; it is not checked any more when false
   */
  async check(
    request: PowRequest,
    hash: Uint8Array,
    isWanted: () => boolean = () => true,
  ): Promise<Verdict> {
    if (this.#waiting >= this.#mostWaiting) return 'unchecked';
    return this.#inTurn(async () => {
      const own = isWanted() ? await this.#hash(request) : undefined;
      if (own === undefined) return 'unchecked';
      return bytesEqual(own, hash) ? 'right' : 'wrong';
    });
  }

  /**
   * The same at once, for a hash that makes a block. It is not called wrong before another engine has the same result as the first, because
   * an error of ours would cost a block; unless others were asked too often of late, as they are by rigs that lie.
   */
  async checkBlock(request: PowRequest, hash: Uint8Array): Promise<Verdict> {
    const own = await this.#hash(request);
    if (own === undefined) return 'unchecked';
    if (bytesEqual(own, hash)) {
      // The chain asks for it in a moment.
      this.#pow.remember?.(own);
      return 'right';
    }
    if (this.#opinions.available < 1) return 'wrong';
    this.#opinions.take(1);
    const agreed = await this.#opinionTurns.run(() => this.#confirm(request, own));
    if (agreed === undefined) return 'unchecked';
    return bytesEqual(agreed, hash) ? 'right' : 'wrong';
  }

  async #inTurn(task: () => Promise<Verdict>): Promise<Verdict> {
    this.#waiting++;
    try {
      return await this.#turns.run(task);
    } finally {
      this.#waiting--;
    }
  }

  /** Returns undefined when it cannot be computed. */
  async #hash(request: PowRequest): Promise<Uint8Array | undefined> {
    try {
      return await this.#pow.hash(request);
    } catch (error) {
      this.#logger.debug(`a share was not checked: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** Returns the hash on which engines agree; undefined when they do not. */
  async #confirm(request: PowRequest, own: Uint8Array): Promise<Uint8Array | undefined> {
    try {
      return (await this.#pow.confirm?.(request, own)) ?? own;
    } catch (error) {
      this.#logger.debug(`a block of a rig was not checked: ${(error as Error).message}`);
      return undefined;
    }
  }
}
