import { bytesEqual, parseTransaction, toHex } from '@monero-node/codec';
import type { Blockchain, InputCheck } from '@monero-node/blockchain';
import { ConsensusError } from '@monero-node/consensus';
import type { PoolEntry } from '../store/pool-entry.ts';

/**
 * Decides whether transactions of the pool may be in the next block: checks the rules of inputs once per
 * tip, and verifies proofs again only when ring members have changed.
 *
 * Source: tx_memory_pool::is_transaction_ready_to_go in src/cryptonote_core/tx_pool.cpp.
 */
export class TxReadiness {
  readonly #chain: Blockchain;
  readonly #changed: (entry: PoolEntry) => void;

  /** @param changed called with entries whose record has changed */
  constructor(chain: Blockchain, changed: (entry: PoolEntry) => void) {
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
      if (!this.#chain.transactionVerifier.isVerified(entry.key, inputs)) return undefined;
      this.#ready(entry, inputs);
      return true;
    });
  }

  /** Whether the inputs are valid at the tip; verifies signatures if needed. */
  async verify(entry: PoolEntry): Promise<boolean> {
    const known = this.checkInputs(entry);
    if (known !== undefined) return known;
    const parsed = parseTransaction(entry.blob);
    try {
      const { transactionVerifier } = this.#chain;
      const inputs = transactionVerifier.checkInputs(parsed);
      await transactionVerifier.verifyInputs(parsed, inputs);
    } catch (error) {
      if (!(error instanceof ConsensusError)) throw error;
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
