import { ConsensusError } from '@monero-node/consensus';
import type { CompleteBlock, IncomingBlock, VerificationCounters } from '../types.ts';
import { addCounters, newCounters } from '../verify/counters.ts';
import { isDenied, type MainWriter, type VerifiedRun } from './main-writer.ts';
import { knownBlock, type WriterContext } from './writer-context.ts';

/** A block that obeys every rule but that of its proof of work. */
interface GoodBlock {
  readonly bundle: CompleteBlock;
  readonly verified: VerifiedRun;
  readonly counted: VerificationCounters;
}

/** What was found about a block, and the chain for which it holds. */
export interface BlockAhead {
  /** An error is about which transactions the block has. */
  readonly found: GoodBlock | ConsensusError;
  /** Changes of the chain that had begun. */
  readonly changes: number;
  readonly checkpoints: number;
}

/**
 * Verifies the rest of a block while another thread computes the hash of its proof of work; one would otherwise wait for the other. This is
 * a guess, like that of `RunsAhead`: it counts only if nothing has begun to change the chain until the block is added. A block that breaks
 * a rule is verified again when it is its turn, after its proof of work, so that its verdict does not depend on the guess. Only its
 * transactions are not looked for again.
 */
export class BlocksAhead {
  readonly #context: WriterContext;
  readonly #main: MainWriter;

  constructor(context: WriterContext, main: MainWriter) {
    this.#context = context;
    this.#main = main;
  }

  /**
   * Returns what was found; undefined when the block does not continue the main chain, is not complete or breaks a rule. Never rejects.
   *
   * @param changes of the chain that have begun, all of which have ended
   * @param complete returns the block with all its transactions, undefined when it lacks some
   */
  async verify(
    { block }: IncomingBlock,
    changes: number,
    complete: () => Promise<CompleteBlock | undefined>,
  ): Promise<BlockAhead | undefined> {
    const { network, verifiers } = this.#context;
    try {
      if (!this.#main.extends(block.block.prevId) || knownBlock(this.#context, block)) return;
      const checkpoints = network.checkpoints.length;
      const ground = this.#main.ground;
      const bundle = await complete().catch(refusal);
      if (bundle === undefined) return;
      if (bundle instanceof ConsensusError) return { found: bundle, changes, checkpoints };
      const counted = newCounters();
      const own = { ...verifiers, counters: counted };
      const options = { provenWork: block, leavesDuplicates: true };
      const verified = await this.#main.verify(ground, [bundle], options, own);
      if (verified.failure !== undefined) return;
      return { found: { bundle, verified, counted }, changes, checkpoints };
    } catch {
      // Whoever adds the block meets it again.
      return undefined;
    }
  }

  /**
   * Returns a block that was verified, if that holds for the chain as it is now, and counts its checks; undefined if not. Throws the
   * ConsensusError that was found instead. Call it once the proof of work is known to be good.
   */
  take(ahead: BlockAhead | undefined, changes: number): GoodBlock | undefined {
    const { network, precomputed, verifiers } = this.#context;
    const isCurrent =
      ahead?.changes === changes && ahead.checkpoints === network.checkpoints.length;
    if (!isCurrent) return undefined;
    const { found } = ahead;
    if (found instanceof ConsensusError) throw found;
    if (isDenied(found.verified, precomputed)) return undefined;
    addCounters(verifiers.counters, found.counted);
    return found;
  }
}

/** Returns an error that is about the block. Throws any other one. */
function refusal(error: unknown): ConsensusError {
  if (error instanceof ConsensusError) return error;
  throw error;
}
