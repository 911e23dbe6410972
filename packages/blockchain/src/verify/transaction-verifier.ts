import { toHex, type ParsedTransaction } from '@monero-node/codec';
import {
  absoluteOffsets,
  checkInputs,
  checkTransaction,
  ConsensusError,
  feeOf,
  NO_RING_SIGNATURES,
  rulesFor,
  transactionWeight,
  type PendingChecks,
  type RingSignatures,
} from '@monero-node/consensus';
import type { VerificationPool } from '@monero-node/crypto';
import type { BlockMeta } from '@monero-node/storage';
import type { ChainView } from '../view/chain-view.ts';
import { newCounters } from './counters.ts';
import type { TipState } from '../view/tip-state.ts';
import type { VerificationCounters } from '../types.ts';
import {
  RingRecorder,
  type Verification,
  type VerifiedTransactions,
} from './verified-transactions.ts';
import { verifyProofs } from './verify-proofs.ts';

const NO_HASH = new Uint8Array(32);
const NO_CHECKS: PendingChecks = { points: [], keyImages: [] };

/** What the chain says of a transaction's inputs at a tip; proofs are another matter. */
export interface InputCheck {
  /** The block that is built on. */
  readonly tipId: Uint8Array;
  /** Fork version of the next block, and the ring members that the signatures are over. */
  readonly verification: Verification;
  readonly ringSignatures: RingSignatures;
  /** Highest block that the last ring member of an input is from; 0 when there is none. */
  readonly maxUsedBlockHeight: number;
  readonly maxUsedBlockId: Uint8Array;
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
 * Judges transactions outside blocks, by the rules of the next block. What passes is remembered, so
 * that its proofs are not verified again when it comes in a block.
 *
 * `check` does everything; the steps are there on their own for those who have rules of theirs in between.
 */
export class TransactionVerifier {
  readonly #tip: TipState;
  readonly #verifier: VerificationPool;
  readonly #verified: VerifiedTransactions;
  readonly #counters = newCounters();
  /** Version under which a transaction's own rules were found kept. */
  readonly #own = new WeakMap<ParsedTransaction, number>();

  constructor({ tip, verifier, verified }: TransactionVerifierDependencies) {
    this.#tip = tip;
    this.#verifier = verifier;
    this.#verified = verified;
  }

  /** The block that answers are about; just after a change the store may be one ahead. */
  get tip(): BlockMeta {
    const { top } = this.#tip.atTip;
    if (top === undefined) throw new Error('the chain is empty');
    return top;
  }

  /** Checks of transactions outside blocks that were carried out and passed. */
  get counters(): Readonly<VerificationCounters> {
    return this.#counters;
  }

  /**
   * Everything that concerns a transaction before it may be in the next block. Nothing is read from the
   * chain after the last look at the tip: it may have moved on when the promise resolves.
   *
   * @throws ConsensusError
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
   * The rules that need no chain, proofs included, but for the signatures of inputs
   * (upstream tx_verification_utils.cpp, ver_non_input_consensus).
   *
   * @throws ConsensusError
   */
  async verifyOwnRules(parsed: ParsedTransaction): Promise<void> {
    const { version } = this.#tip.atTip;
    const txId = toHex(parsed.id);
    const checks = checkTransaction(rulesFor(version), parsed, txId);
    if (!this.#verified.coversOwnProofs(txId, version)) {
      const counted = newCounters();
      const pending = { txId, checks, ringSignatures: NO_RING_SIGNATURES, cached: false };
      await this.#verify(pending, counted);
      // Counted as a transaction when its inputs have been verified too.
      counted.transactions = 0;
      this.#count(counted);
    }
    this.#own.set(parsed, version);
  }

  /**
   * The rules of inputs against the chain as it is now, but for signatures
   * (upstream blockchain.cpp, check_tx_inputs). For transactions whose own rules are kept.
   *
   * @throws ConsensusError
   */
  checkInputs(parsed: ParsedTransaction): InputCheck {
    const view = this.#tip.atTip;
    const recorder = new RingRecorder(view);
    const ringSignatures = checkInputs(view.rules, parsed, recorder);
    const verification = { version: view.version, ring: recorder.digest() };
    return { tipId: this.tip.id, verification, ringSignatures, ...maxUsedBlock(view, parsed) };
  }

  /** Whether all proofs were found good with exactly these ring members, under this version. */
  isVerified(txId: string, { verification }: InputCheck): boolean {
    return this.#verified.covers(txId, verification);
  }

  /**
   * Takes for verified what this program verified before it was last ended.
   *
   * @param txId hex, computed from the blob
   */
  remember(txId: string, verification: Verification): void {
    this.#verified.add(txId, verification);
  }

  /**
   * Verifies the signatures of inputs, and the transaction's own rules if that was not done for
   * the version of `inputs`; remembers the transaction.
   *
   * @param inputs as `checkInputs` returned it for the same transaction
   * @throws ConsensusError
   */
  async verifyInputs(parsed: ParsedTransaction, inputs: InputCheck): Promise<void> {
    const txId = toHex(parsed.id);
    if (this.isVerified(txId, inputs)) return;
    const { verification, ringSignatures } = inputs;
    if (this.#own.get(parsed) !== verification.version) {
      await this.verifyOwnRules(parsed);
      // The fork may have changed meanwhile; then it is not for this version that they are kept.
      if (this.#own.get(parsed) !== verification.version) {
        throw new ConsensusError('tx-version', 'the fork changed during verification', { txId });
      }
    }
    const pending = { txId, checks: NO_CHECKS, ringSignatures, cached: false };
    await this.#verify(pending, this.#counters);
    this.#verified.add(txId, verification);
  }

  async #verify(
    transaction: Parameters<typeof verifyProofs>[1][number]['transaction'],
    counters: VerificationCounters,
  ): Promise<void> {
    const failure = await verifyProofs(this.#verifier, [{ block: 0, transaction }], counters);
    if (failure !== undefined) throw failure.error;
  }

  #count(counted: VerificationCounters): void {
    for (const name of Object.keys(counted) as (keyof VerificationCounters)[]) {
      this.#counters[name] += counted[name];
    }
  }
}

/** Of each input only the last ring member counts, as in the rule on their age. */
function maxUsedBlock(
  view: ChainView,
  { tx }: ParsedTransaction,
): Pick<InputCheck, 'maxUsedBlockHeight' | 'maxUsedBlockId'> {
  let height = 0;
  for (const input of tx.inputs) {
    if (input.kind !== 'key') continue;
    const last = absoluteOffsets(input.keyOffsets).at(-1);
    const member = last === undefined ? undefined : view.ringMember(input.amount, last);
    height = Math.max(height, member?.height ?? 0);
  }
  return { maxUsedBlockHeight: height, maxUsedBlockId: view.headers.idAt(height) ?? NO_HASH };
}
