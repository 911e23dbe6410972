import { type CryptoCheck, isBatched } from '../checks.ts';
import { type AnyCheck, countItems, sliceCheck, unpacked } from './any-check.ts';
import type { DisposableVerificationPool, VerificationPool } from './types.ts';

/** A fast backend rejected a check that holds: a defect, or a fault of this machine, that must be reported. */
export interface Disagreement {
  /** The fast backend. */
  readonly backendName: string;
  /** A check of the single item that the reference accepts, or a batch of proofs that hold one by one. */
  readonly check: CryptoCheck;
}

/** A fast backend did not answer a check. */
export interface BackendFailure {
  readonly backendName: string;
  readonly kind: CryptoCheck['kind'];
  readonly error: unknown;
}

/** Items that are checked together after a check has failed. */
const ITEMS_AFTER_FAILURE = 16;

export interface ConfirmingPoolOptions {
  /** Creates the pool that confirms; called when it is first needed. */
  readonly createReferencePool: () => VerificationPool;
  readonly onDisagreement: (disagreement: Disagreement) => void;
  readonly onFailure: (failure: BackendFailure) => void;
}

/** Returns whether one answer covers several proofs, so that no single rejection can be confirmed yet. */
function isWholeBatch(check: AnyCheck): boolean {
  return isBatched(check) && countItems(check) > 1;
}

/**
 * Has the reference check what the fast backend fails to check, and re-checks rejections of a fast backend with the reference. One confirmed rejection is enough, because it
 * makes the block invalid; the other rejections are returned unconfirmed, so that a flood of bad proofs
 * costs one slow check, not many. A rejected batch of range proofs is confirmed only after the caller has
 * halved it down to one proof.
 */
export class ConfirmingPool implements DisposableVerificationPool {
  readonly #fast: VerificationPool;
  readonly #options: ConfirmingPoolOptions;
  #reference: VerificationPool | undefined;
  #isClosed = false;

  constructor(fast: VerificationPool, options: ConfirmingPoolOptions) {
    this.#fast = fast;
    this.#options = options;
  }

  get threads(): number {
    return this.#fast.threads;
  }

  get backendName(): string {
    return this.#fast.backendName;
  }

  async check(check: AnyCheck, signal?: AbortSignal): Promise<boolean[]> {
    const answers = await this.#fastAnswers(check, signal);
    if (isWholeBatch(check)) return answers;
    for (let i = answers.indexOf(false); i !== -1; i = answers.indexOf(false, i + 1)) {
      const item = sliceCheck(check, i, i + 1);
      const [accepted] = await this.#askReference(item, signal);
      if (accepted !== true) return answers;
      answers[i] = true;
      this.#options.onDisagreement({ backendName: this.backendName, check: unpacked(item) });
    }
    return answers;
  }

  refusedWrongly(check: AnyCheck): void {
    this.#options.onDisagreement({ backendName: this.backendName, check: unpacked(check) });
  }

  #askReference(check: AnyCheck, signal?: AbortSignal): Promise<boolean[]> {
    this.#reference ??= this.#options.createReferencePool();
    return this.#reference.check(check, signal);
  }

  /** Returns the answers of the fast backend; in its place, the reference answers the parts on which it fails again. */
  async #fastAnswers(check: AnyCheck, signal?: AbortSignal): Promise<boolean[]> {
    try {
      return await this.#fast.check(check, signal);
    } catch (error) {
      this.#report(check, error, signal);
    }
    const parts: AnyCheck[] = [];
    for (let at = 0; at < countItems(check); at += ITEMS_AFTER_FAILURE)
      parts.push(sliceCheck(check, at, at + ITEMS_AFTER_FAILURE));
    const answers = await Promise.all(parts.map((part) => this.#answersOfEither(part, signal)));
    return isBatched(check) ? [answers.flat().every(Boolean)] : answers.flat();
  }

  async #answersOfEither(part: AnyCheck, signal?: AbortSignal): Promise<boolean[]> {
    try {
      return await this.#fast.check(part, signal);
    } catch (error) {
      this.#report(part, error, signal);
      return this.#askReference(part, signal);
    }
  }

  /** Rethrows what is no failure of the backend. */
  #report({ kind }: AnyCheck, error: unknown, signal: AbortSignal | undefined): void {
    if (this.#isClosed || signal?.aborted === true) throw error;
    this.#options.onFailure({ backendName: this.backendName, kind, error });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#fast.close(), this.#reference?.close()]);
  }

  /** The same as {@link ConfirmingPool.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
