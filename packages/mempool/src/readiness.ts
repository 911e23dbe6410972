import { bytesEqual, parseTransaction, toHex } from '@monero-node/codec';
import type { Blockchain, InputCheck } from '@monero-node/blockchain';
import { ConsensusError } from '@monero-node/consensus';
import type { PoolEntry } from './pool-entry.ts';

/**
 * Whether transactions of the pool may be in the next block: the rules of inputs against the tip, looked
 * at once for each tip. Proofs are verified again only when ring members changed. Source:
 * is_transaction_ready_to_go in src/cryptonote_core/tx_pool.cpp.
 */
export class Readiness {
  readonly #chain: Blockchain;
  readonly #changed: (entry: PoolEntry) => void;

  /** @param changed told of entries whose record is another now */
  constructor(chain: Blockchain, changed: (entry: PoolEntry) => void) {
    this.#chain = chain;
    this.#changed = changed;
  }

  /** Undefined: only verifying its signatures can tell. */
  look(entry: PoolEntry): boolean | undefined {
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

  /** Verifies what has to be. */
  async find(entry: PoolEntry): Promise<boolean> {
    const known = this.look(entry);
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
    // The tip may have moved on meanwhile.
    return this.look(entry) ?? false;
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
