import { Mutex, type Logger } from '@monero-node/base';
import { bytesEqual } from '@monero-node/codec';
import type { PowHasher, PowRequest } from '@monero-node/pow';

/** What became of a claim: `unchecked` when too many wait, or no hash could be computed. */
export type Verdict = 'right' | 'wrong' | 'unchecked';

/**
 * Computes hashes that rigs claim, one at a time, so that the other threads stay free for blocks. A bounded number of shares
 * waits.
 */
export class ShareChecker {
  readonly #pow: Pick<PowHasher, 'hash'>;
  readonly #logger: Logger;
  readonly #mostWaiting: number;
  readonly #turns = new Mutex();
  #waiting = 0;

  constructor(pow: Pick<PowHasher, 'hash'>, logger: Logger, mostWaiting: number) {
    this.#pow = pow;
    this.#logger = logger;
    this.#mostWaiting = mostWaiting;
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
    return this.#inTurn(async () =>
      isWanted() ? await this.#compare(request, hash) : 'unchecked',
    );
  }

  /** The same at once, for a hash that makes a block. */
  checkNow(request: PowRequest, hash: Uint8Array): Promise<Verdict> {
    return this.#compare(request, hash);
  }

  async #inTurn(task: () => Promise<Verdict>): Promise<Verdict> {
    this.#waiting++;
    try {
      return await this.#turns.run(task);
    } finally {
      this.#waiting--;
    }
  }

  async #compare(request: PowRequest, hash: Uint8Array): Promise<Verdict> {
    try {
      return bytesEqual(await this.#pow.hash(request), hash) ? 'right' : 'wrong';
    } catch (error) {
      this.#logger.debug(`a share was not checked: ${(error as Error).message}`);
      return 'unchecked';
    }
  }
}
