import { type CryptoCheck, isBatched } from '../checks.ts';
import { type AnyCheck, countItems, sliceCheck, unpacked } from './any-check.ts';
import { SecondOpinion } from './second-opinion.ts';
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

/**
 * Inputs for which refusals of what strangers send may wait for the reference: some 13 seconds of one thread, or those of the single check
 * that waits, which may have more.
 */
export const MAX_STRANGERS_INPUTS = 32;

/** Whose refusals a pool confirms. */
export type Asker = 'blocks' | 'strangers';

export interface ConfirmingPoolOptions {
  /** Creates a pool that confirms, called when it is first needed: one for each asker, so that blocks never wait for strangers. */
  readonly createReferencePool: (asker: Asker) => VerificationPool;
  readonly onDisagreement: (disagreement: Disagreement) => void;
  readonly onFailure: (failure: BackendFailure) => void;
}

/** Returns whether one answer covers several proofs, so that no single rejection can be confirmed yet. */
function isWholeBatch(check: AnyCheck): boolean {
  return isBatched(check) && countItems(check) > 1;
}

/** One check on its way through the pool. */
interface Passage {
  readonly fast: VerificationPool;
  readonly signal: AbortSignal | undefined;
  ask(check: AnyCheck): Promise<boolean[]>;
}

/**
 * Has the reference check what the fast backend fails to check, and re-checks rejections of a fast backend with the reference. One confirmed rejection is enough, because it
 * makes the block invalid; the other rejections are returned unconfirmed, so that a flood of bad proofs
 * costs one slow check, not many. A rejected batch of range proofs is confirmed only after the caller has
 * halved it down to one proof.
 *
 * A check of {@link forStrangers} that the fast backend rejects or fails is rejected with VerificationPoolError `busy` when checks of
 * {@link MAX_STRANGERS_INPUTS} wait for their reference.
 */
export class ConfirmingPool implements DisposableVerificationPool {
  readonly forStrangers: VerificationPool;
  readonly #fast: VerificationPool;
  readonly #options: ConfirmingPoolOptions;
  readonly #ofBlocks: SecondOpinion;
  readonly #ofStrangers: SecondOpinion;
  #isClosed = false;

  constructor(fast: VerificationPool, options: ConfirmingPoolOptions) {
    this.#fast = fast;
    this.#options = options;
    this.#ofBlocks = new SecondOpinion(() => options.createReferencePool('blocks'));
    const ofStrangers = new SecondOpinion(
      () => options.createReferencePool('strangers'),
      MAX_STRANGERS_INPUTS,
    );
    this.#ofStrangers = ofStrangers;
    const behind = fast.forStrangers ?? fast;
    this.forStrangers = {
      threads: fast.threads,
      backendName: fast.backendName,
      check: (check, left) =>
        ofStrangers.during((questions) =>
          this.#check(check, {
            fast: behind,
            signal: undefined,
            ask: (item) => questions.ask(item, left),
          }),
        ),
      refusedWrongly: (check) => this.refusedWrongly(check),
      close: () => this.close(),
    };
  }

  get threads(): number {
    return this.#fast.threads;
  }

  get backendName(): string {
    return this.#fast.backendName;
  }

  check(check: AnyCheck, signal?: AbortSignal): Promise<boolean[]> {
    return this.#ofBlocks.during((questions) =>
      this.#check(check, { fast: this.#fast, signal, ask: (item) => questions.ask(item, signal) }),
    );
  }

  refusedWrongly(check: AnyCheck): void {
    this.#options.onDisagreement({ backendName: this.backendName, check: unpacked(check) });
  }

  async #check(check: AnyCheck, passage: Passage): Promise<boolean[]> {
    const answers = await this.#fastAnswers(check, passage);
    if (isWholeBatch(check)) return answers;
    for (let i = answers.indexOf(false); i !== -1; i = answers.indexOf(false, i + 1)) {
      const item = sliceCheck(check, i, i + 1);
      const [accepted] = await passage.ask(item);
      if (accepted !== true) return answers;
      answers[i] = true;
      this.#options.onDisagreement({ backendName: this.backendName, check: unpacked(item) });
    }
    return answers;
  }

  /** Returns the answers of the fast backend; in its place, the reference answers the parts on which it fails again. */
  async #fastAnswers(check: AnyCheck, passage: Passage): Promise<boolean[]> {
    const { fast, signal } = passage;
    try {
      return await fast.check(check, signal);
    } catch (error) {
      this.#report(check, error, signal);
    }
    const parts: AnyCheck[] = [];
    for (let at = 0; at < countItems(check); at += ITEMS_AFTER_FAILURE)
      parts.push(sliceCheck(check, at, at + ITEMS_AFTER_FAILURE));
    const answers = await Promise.all(parts.map((part) => this.#answersOfEither(part, passage)));
    return isBatched(check) ? [answers.flat().every(Boolean)] : answers.flat();
  }

  async #answersOfEither(part: AnyCheck, passage: Passage): Promise<boolean[]> {
    const { fast, signal, ask } = passage;
    try {
      return await fast.check(part, signal);
    } catch (error) {
      this.#report(part, error, signal);
      return ask(part);
    }
  }

  /** Rethrows what is no failure of the backend. */
  #report({ kind }: AnyCheck, error: unknown, signal: AbortSignal | undefined): void {
    if (this.#isClosed || signal?.aborted === true) throw error;
    this.#options.onFailure({ backendName: this.backendName, kind, error });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#fast.close(), this.#ofBlocks.close(), this.#ofStrangers.close()]);
  }

  /** The same as {@link ConfirmingPool.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
