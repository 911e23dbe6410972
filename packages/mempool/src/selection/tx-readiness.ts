import { bytesEqual, parseTransaction, toHex } from '@monero-node/codec';
import type { Blockchain, InputCheck, Verification } from '@monero-node/blockchain';
import { ConsensusError, type ConsensusErrorCode } from '@monero-node/consensus';
import type { PoolEntry } from '../store/pool-entry.ts';

/** Errors of proofs that depend on nothing but the transaction, the version, and the ring members or the tree. */
const PROOFS_OF_INPUTS: ReadonlySet<ConsensusErrorCode> = new Set([
  'bad-ring-signature',
  'bad-membership-proof',
  'spend-proof-encoding',
]);

function isSame(one: Verification | undefined, other: Verification): boolean {
  return one?.version === other.version && bytesEqual(one.ring, other.ring);
}

/**
 * Decides whether transactions of the pool may be in the next block: checks the rules of inputs once per
 * tip, and verifies proofs again only when ring members have changed.
 *
 * Source: tx_memory_pool::is_transaction_ready_to_go in src/cryptonote_core/tx_pool.cpp.
 */
export class TxReadiness {
  readonly #chain: Pick<Blockchain, 'transactionVerifier'>;
  readonly #changed: (entry: PoolEntry) => void;
  /**
   * For which version and ring members, or curve tree, the proofs of an entry last failed: as long as they are the same, each new tip
   * would cost another verification that fails, and an FCMP++ proof some seconds.
   */
  readonly #refuted = new WeakMap<PoolEntry, Verification>();

  /** @param changed called with entries whose record has changed */
  constructor(chain: Pick<Blockchain, 'transactionVerifier'>, changed: (entry: PoolEntry) => void) {
    this.#chain = chain;
    this.#changed = changed;
  }

  /** Whether the inputs are valid at the tip; undefined when that requires verifying signatures. */
  checkInputs(entry: PoolEntry): boolean | undefined {
    const top = this.#chain.transactionVerifier.tip;
    if (entry.readyAt === toHex(top.id)) return true;
    if (bytesEqual(entry.lastFailedId, top.id)) return false;
    return this.#guard(entry, () => {
      const inputs = this.#chain.transactionVerifier.checkInputs(parseTransaction(entry.blob));
      if (this.#chain.transactionVerifier.isVerified(entry.key, inputs)) {
        this.#ready(entry, inputs);
        return true;
      }
      if (!isSame(this.#refuted.get(entry), inputs.verification)) return undefined;
      this.#failed(entry);
      return false;
    });
  }

  /** Whether the inputs are valid at the tip; verifies signatures if needed. */
  async verify(entry: PoolEntry): Promise<boolean> {
    const known = this.checkInputs(entry);
    if (known !== undefined) return known;
    const parsed = parseTransaction(entry.blob);
    const { transactionVerifier } = this.#chain;
    let inputs: InputCheck | undefined;
    try {
      inputs = transactionVerifier.checkInputs(parsed);
      await transactionVerifier.verifyInputs(parsed, inputs);
    } catch (error) {
      if (!(error instanceof ConsensusError)) throw error;
      if (inputs !== undefined && PROOFS_OF_INPUTS.has(error.code))
        this.#refuted.set(entry, inputs.verification);
      this.#failed(entry);
      return false;
    }
    // The tip may have moved in the meantime.
    return this.checkInputs(entry) ?? false;
  }

  #guard(entry: PoolEntry, look: () => boolean | undefined): boolean | undefined {
    try {
      return look();
    } catch (error) {
      if (!(error instanceof ConsensusError)) throw error;
      this.#failed(entry);
      return false;
    }
  }

  #ready(entry: PoolEntry, inputs: InputCheck): void {
    entry.readyAt = toHex(this.#chain.transactionVerifier.tip.id);
    entry.verification = inputs.verification;
    const { maxUsedBlockHeight, maxUsedBlockId } = inputs;
    if (bytesEqual(entry.maxUsedBlockId, maxUsedBlockId)) return;
    entry.maxUsedBlockHeight = maxUsedBlockHeight;
    entry.maxUsedBlockId = maxUsedBlockId;
    this.#changed(entry);
  }

  #failed(entry: PoolEntry): void {
    const { height, id } = this.#chain.transactionVerifier.tip;
    entry.markFailed(height, id);
    this.#changed(entry);
  }
}
