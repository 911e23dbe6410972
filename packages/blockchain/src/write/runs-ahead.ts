import { Yielder } from '@monero-node/base';
import { bytesEqual } from '@monero-node/codec';
import type {
  AddSpanOptions,
  CompleteBlock,
  IncomingBlock,
  VerificationCounters,
} from '../types.ts';
import { addCounters, newCounters } from '../verify/counters.ts';
import { withoutConfirmation, type DoubtedHash } from '../verify/verify-pow.ts';
import { collectRun } from './collect-run.ts';
import { isDenied, type MainWriter, type VerifiedRun } from './main-writer.ts';
import type { WriterContext } from './writer-context.ts';

/** Blocks that were verified while those below them were being stored. */
export interface RunAhead {
  readonly bundles: readonly CompleteBlock[];
  readonly verified: VerifiedRun;
}

/** What was verified, and what it holds for. */
interface Kept extends RunAhead {
  readonly blocks: readonly IncomingBlock[];
  readonly trust: boolean;
  readonly checkpoints: number;
  readonly counted: VerificationCounters;
}

/** What comes next, and whether to begin with it. */
interface Offer extends Pick<AddSpanOptions, 'trust'> {
  readonly next: NonNullable<AddSpanOptions['next']>;
  /** Whether blocks can still be added. */
  readonly goesOn: () => boolean;
}

/**
 * Verifies the next run of blocks while LMDB's thread writes the one below; the calling thread would otherwise wait for that. This is a
 * guess: whoever adds the blocks takes it if they come as expected and the chain is then the one that they were verified on. A run that
 * breaks a rule is not kept. It is verified once more when it is its turn, so that the verdict, the error and whom it names are always
 * those of a run that is verified after the one below was stored. So a guess has no bad hash confirmed: only a few can be. If the block
 * turns out good when it is its turn, an engine has erred, which `settle` brings to light.
 */
export class RunsAhead {
  readonly #context: WriterContext;
  readonly #main: MainWriter;
  #kept: Kept | undefined;
  #doubted: DoubtedHash | undefined;

  constructor(context: WriterContext, main: MainWriter) {
    this.#context = context;
    this.#main = main;
  }

  /**
   * Verifies the first of the next blocks on top of a run, all of it good, that has been handed to the store and cannot be seen there yet.
   * Whoever changes or stops the chain waits for it, so it begins nothing more once the chain is to stop. Never rejects.
   */
  async verify(below: VerifiedRun, { next, goesOn, trust = false }: Offer): Promise<void> {
    try {
      const top = below.good.at(-1)?.meta;
      if (top === undefined) return;
      // Before anything else happens: later the store may have the blocks already.
      const ground = await this.#main.groundAbove(below);
      const checkpoints = this.#context.network.checkpoints.length;
      // LMDB's thread begins when this turn of the event loop ends.
      await new Yielder().yieldNow();
      const blocks = goesOn() ? (next() ?? []) : [];
      const bundles = await collectRun(this.#context, blocks, top);
      if (bundles.length === 0 || !goesOn()) return;
      const { verifiers } = this.#context;
      const counted = newCounters();
      const pow = withoutConfirmation(verifiers.pow, (doubted) => (this.#doubted = doubted));
      const own = { ...verifiers, pow, counters: counted };
      const options = { trust, leavesDuplicates: true };
      const verified = await this.#main.verify(ground, bundles, options, own);
      if (verified.failure !== undefined) return;
      const expected = blocks.slice(0, bundles.length);
      this.#kept = { blocks: expected, trust, checkpoints, counted, bundles, verified };
      // Where a commit would look them up, nothing else would happen meanwhile.
      await this.#context.store.lookAhead(verified.view.records.slice(verified.first));
    } catch {
      // Whoever adds the blocks meets it again.
    }
  }

  /** Forgets what was verified: the chain changes in another way, so it would only take up memory. */
  drop(): void {
    this.#kept = undefined;
  }

  /** Returns the run that these blocks begin with, if it was verified on the chain as it is now. */
  take(blocks: readonly IncomingBlock[], { trust = false }: AddSpanOptions): RunAhead | undefined {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept?.trust !== trust || !kept.blocks.every((block, i) => block === blocks[i]))
      return undefined;
    const isCurrent = kept.checkpoints === this.#context.network.checkpoints.length;
    if (!isCurrent || !this.#main.isTop(kept.verified)) return undefined;
    if (isDenied(kept.verified, this.#context.precomputed)) return undefined;
    addCounters(this.#context.verifiers.counters, kept.counted);
    return kept;
  }

  /** Returns the bad hash that ended the last guess, if one did, and forgets it. */
  takeDoubted(): DoubtedHash | undefined {
    const doubted = this.#doubted;
    this.#doubted = undefined;
    return doubted;
  }

  /**
   * Has the other engines judge a bad hash of a block that is good, so that the owner of the machine is told which engine errs, and it
   * is replaced. Never rejects: the hasher reports what it finds.
   *
   * @param good blocks that were found good after the hash was doubted
   */
  async settle(doubted: DoubtedHash | undefined, good: readonly CompleteBlock[]): Promise<void> {
    if (doubted === undefined) return;
    const { request, hash } = doubted;
    if (good.some(({ block }) => bytesEqual(block.hashingBlob, request.blob)))
      await this.#context.verifiers.pow.confirm?.(request, hash).catch(() => undefined);
  }
}
