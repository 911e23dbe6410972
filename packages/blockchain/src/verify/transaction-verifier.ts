import { absoluteOffsets, toHex, type ParsedTransaction } from '@monero-node/codec';
import {
  checkInputs,
  checkTransaction,
  ConsensusError,
  feeOf,
  NO_RING_SIGNATURES,
  rulesFor,
  RingSlot,
  transactionWeight,
  verifyProofs,
  type PendingChecks,
  type PendingProofs,
  type RingSignatures,
} from '@monero-node/consensus';
import type { VerificationPool } from '@monero-node/crypto';
import type { BlockMeta } from '@monero-node/storage';
import type { ChainView } from '../view/chain-view.ts';
import { addCounters, newCounters } from './counters.ts';
import type { TipState } from '../view/tip-state.ts';
import type { VerificationCounters } from '../types.ts';
import {
  RingRecorder,
  type Verification,
  type VerifiedTransactions,
} from './verified-transactions.ts';

const NO_HASH = new Uint8Array(32);
const NO_CHECKS: PendingChecks = { points: [], keyImages: [] };

/** The inputs of a transaction that obey the rules at a tip, and their signatures, still to be verified. */
export interface InputCheck {
  /** Id of the tip, 32 bytes. */
  readonly tipId: Uint8Array;
  /** Fork version of the next block, and the ring members that the signatures cover. */
  readonly verification: Verification;
  readonly ringSignatures: RingSignatures;
  /** Height of the newest block that contains the last ring member of an input, or of the reference block; 0 without inputs. */
  readonly maxUsedBlockHeight: number;
  /** 32 bytes. */
  readonly maxUsedBlockId: Uint8Array;
}

/** Who sent a transaction that nobody has worked for: peers and clients. */
export interface Stranger {
  /** Aborted when it has left: then a refusal need not be confirmed any more. */
  readonly left?: AbortSignal | undefined;
}

/** A transaction that obeys every rule of the next block. */
export interface CheckedTransaction {
  /** Atomic units. */
  readonly fee: bigint;
  readonly weight: number;
  readonly maxUsedBlockHeight: number;
  readonly maxUsedBlockId: Uint8Array;
  readonly verification: Verification;
}

export interface TransactionVerifierDependencies {
  readonly tip: TipState;
  readonly verifier: VerificationPool;
  readonly verified: VerifiedTransactions;
}

/**
 * Verifies transactions outside blocks, by the rules of the next block. It remembers valid ones, so that their
 * proofs are not verified again when they come in a block.
 *
 * `check` does everything. Its steps are public for callers with rules of their own in between.
 */
export class TransactionVerifier {
  readonly #tip: TipState;
  readonly #verifier: VerificationPool;
  readonly #verified: VerifiedTransactions;
  readonly #counters = newCounters();
  /** Version under which a transaction was found to obey its own rules. */
  readonly #own = new WeakMap<ParsedTransaction, number>();

  constructor({ tip, verifier, verified }: TransactionVerifierDependencies) {
    this.#tip = tip;
    this.#verifier = verifier;
    this.#verified = verified;
  }

  /** The block that results refer to; just after a change the store may be one block ahead. */
  get tip(): BlockMeta {
    const { top } = this.#tip.atTip;
    if (top === undefined) throw new Error('the chain is empty');
    return top;
  }

  /** The fork version by which transactions are judged: that of a block on {@link tip}. */
  get version(): number {
    return this.#tip.atTip.version;
  }

  /** Checks of transactions outside blocks that passed. */
  get counters(): Readonly<VerificationCounters> {
    return this.#counters;
  }

  /**
   * Checks every rule that a transaction must obey to be in the next block. The tip may have moved on when the
   * promise resolves.
   *
   * Throws ConsensusError when a rule is broken.
   */
  async check(parsed: ParsedTransaction): Promise<CheckedTransaction> {
    await this.verifyOwnRules(parsed);
    const inputs = this.checkInputs(parsed);
    await this.verifyInputs(parsed, inputs);
    const { maxUsedBlockHeight, maxUsedBlockId, verification } = inputs;
    return {
      fee: feeOf(parsed),
      weight: transactionWeight(parsed),
      maxUsedBlockHeight,
      maxUsedBlockId,
      verification,
    };
  }

  /**
   * Checks the rules that do not depend on the chain, including all proofs except the signatures of inputs.
   *
   * Throws ConsensusError when a rule is broken. Throws VerificationPoolError `busy`, which says nothing of the transaction, only if a stranger
   * sent it, and the reason of `left` where that is aborted.
   * Source: ver_non_input_consensus in src/cryptonote_core/tx_verification_utils.cpp.
   */
  async verifyOwnRules(parsed: ParsedTransaction, stranger?: Stranger): Promise<void> {
    const { version } = this.#tip.atTip;
    const txId = toHex(parsed.id);
    const checks = checkTransaction(rulesFor(version), parsed, txId);
    // The disk reads what the next step, the check of the inputs, looks up while the proofs are verified.
    const lookups = this.#tip.atTip.prefetch([parsed], true);
    if (!this.#verified.coversOwnProofs(txId, version)) {
      const counted = newCounters();
      const pending = { txId, checks, ringSignatures: NO_RING_SIGNATURES };
      await this.#verify(pending, counted, stranger);
      // The transaction is counted once its inputs have been verified too.
      counted.transactions = 0;
      addCounters(this.#counters, counted);
    }
    await lookups;
    this.#own.set(parsed, version);
  }

  /**
   * Checks the inputs, except their signatures, against the current chain. For transactions that obey their own
   * rules.
   *
   * Throws ConsensusError when a rule is broken. Source: check_tx_inputs in src/cryptonote_core/blockchain.cpp.
   */
  checkInputs(parsed: ParsedTransaction): InputCheck {
    const view = this.#tip.atTip;
    const recorder = new RingRecorder(view);
    const ringSignatures = checkInputs(view.rules, parsed, recorder);
    const verification = { version: view.version, ring: recorder.digest() };
    return { tipId: this.tip.id, verification, ringSignatures, ...maxUsedBlock(view, parsed) };
  }

  /** Returns whether all proofs were verified with exactly these ring members, under this version. */
  isVerified(txId: string, { verification }: InputCheck): boolean {
    return this.#verified.covers(txId, verification);
  }

  /**
   * Marks a transaction as verified that this node verified before it was restarted.
   *
   * @param txId hex; must have been computed from the blob
   */
  remember(txId: string, verification: Verification): void {
    this.#verified.addEarlier(txId, verification);
  }

  /**
   * Verifies the signatures of inputs, and the transaction's own rules if that was not done for
   * the version of `inputs`; remembers the transaction.
   *
   * Throws ConsensusError when a rule is broken, and for a stranger's as {@link verifyOwnRules}.
   *
   * @param inputs the result of `checkInputs` for the same transaction
   */
  async verifyInputs(
    parsed: ParsedTransaction,
    inputs: InputCheck,
    stranger?: Stranger,
  ): Promise<void> {
    const txId = toHex(parsed.id);
    if (this.isVerified(txId, inputs)) return;
    const { verification, ringSignatures } = inputs;
    if (this.#own.get(parsed) !== verification.version) {
      await this.verifyOwnRules(parsed, stranger);
      // The fork may have changed meanwhile; then they were checked for another version.
      if (this.#own.get(parsed) !== verification.version) {
        throw new ConsensusError('tx-version', 'the fork changed during verification', { txId });
      }
    }
    const pending = { txId, checks: NO_CHECKS, ringSignatures };
    await this.#verify(pending, this.#counters, stranger);
    this.#verified.add(txId, verification);
  }

  async #verify(
    transaction: PendingProofs,
    counters: VerificationCounters,
    stranger: Stranger | undefined,
  ): Promise<void> {
    const pool = stranger === undefined ? this.#verifier : poolFor(stranger, this.#verifier);
    const failure = await verifyProofs(pool, [{ block: 0, transaction }], counters);
    if (failure !== undefined) throw failure.error;
  }
}

/** Returns the pool with which a stranger's transaction is verified. */
function poolFor({ left }: Stranger, verifier: VerificationPool): VerificationPool {
  const pool = verifier.forStrangers;
  if (pool === undefined) return verifier;
  return {
    threads: pool.threads,
    backendName: pool.backendName,
    check: (check) => pool.check(check, left),
    refusedWrongly: (check) => pool.refusedWrongly?.(check),
    close: () => pool.close(),
  };
}

/**
 * Considers only the last ring member of each input, like the rule on the age of ring members; for an FCMP++ proof, the reference block.
 */
function maxUsedBlock(
  view: ChainView,
  { tx }: ParsedTransaction,
): Pick<InputCheck, 'maxUsedBlockHeight' | 'maxUsedBlockId'> {
  // Below the height of the chain, as the inputs obey the rules.
  let height = Number(tx.prunable?.fcmp?.referenceBlock ?? 0n);
  const slot = new RingSlot({ bytes: new Uint8Array(64), at: 0, size: 1 });
  for (const input of tx.inputs) {
    if (input.kind !== 'key') continue;
    const last = absoluteOffsets(input.keyOffsets).at(-1);
    if (last !== undefined && view.readRingMember(slot, input.amount, last))
      height = Math.max(height, slot.height);
  }
  return { maxUsedBlockHeight: height, maxUsedBlockId: view.headers.idAt(height) ?? NO_HASH };
}
