import { type CryptoCheck, isBatched, sliceCheck } from '../checks.ts';
import type { VerificationPool } from './types.ts';

/** A fast backend rejected an item that the reference accepts: a defect that must be reported. */
export interface Disagreement {
  /** The fast backend. */
  readonly backendName: string;
  /** A check of the single item they disagree on. */
  readonly check: CryptoCheck;
}

export interface ConfirmingOptions {
  /** Creates the pool that confirms; called when it is first needed. */
  readonly createReferencePool: () => VerificationPool;
  readonly onDisagreement: (disagreement: Disagreement) => void;
}

/** Returns whether one answer covers several proofs, so that no single rejection can be confirmed yet. */
function isWholeBatch(check: CryptoCheck): boolean {
  return isBatched(check) && check.proofs.length > 1;
}

/**
 * Re-checks rejections of a fast backend with the reference. One confirmed rejection is enough, because it
 * makes the block invalid; the other rejections are returned unconfirmed, so that a flood of bad proofs
 * costs one slow check, not many. A rejected batch of range proofs is confirmed only after the caller has
 * halved it down to one proof.
 */
export class ConfirmingPool implements VerificationPool {
  readonly #fast: VerificationPool;
  readonly #options: ConfirmingOptions;
  #reference: VerificationPool | undefined;

  constructor(fast: VerificationPool, options: ConfirmingOptions) {
    this.#fast = fast;
    this.#options = options;
  }

  get threads(): number {
    return this.#fast.threads;
  }

  get backendName(): string {
    return this.#fast.backendName;
  }

  async check(check: CryptoCheck, signal?: AbortSignal): Promise<boolean[]> {
    const answers = await this.#fast.check(check, signal);
    if (isWholeBatch(check)) return answers;
    for (let i = answers.indexOf(false); i !== -1; i = answers.indexOf(false, i + 1)) {
      const item = sliceCheck(check, i, i + 1);
      this.#reference ??= this.#options.createReferencePool();
      const [accepted] = await this.#reference.check(item, signal);
      if (accepted !== true) return answers;
      answers[i] = true;
      this.#options.onDisagreement({ backendName: this.backendName, check: item });
    }
    return answers;
  }

  async close(): Promise<void> {
    await Promise.all([this.#fast.close(), this.#reference?.close()]);
  }
}
