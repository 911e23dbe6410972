import { bytesEqual, toHex, type ParsedTransaction } from '@monero-node/codec';
import type { Blockchain, InputCheck } from '@monero-node/blockchain';
import {
  checkRelay,
  ConsensusError,
  minimumFee,
  rulesFor,
  transactionWeight,
} from '@monero-node/consensus';
import { Refusals } from './refusals.ts';

/** A transaction is good (`inputs`), or as good as one from a block has to be, or it is not. */
export type Verdict =
  | { readonly inputs: InputCheck | undefined; readonly error?: never }
  | {
      readonly error: ConsensusError;
      /** The block on which it is wrong. */
      readonly tipId: Uint8Array;
    };

export interface VerificationOptions {
  /** It comes from a block: relay rules do not apply, and its inputs may fail. */
  readonly fromBlock: boolean;
  /** Whether another transaction of the pool spends the same. */
  readonly conflicts: () => boolean;
}

/**
 * Verifies transactions by the rules of the next block and those of relay, in the order of monerod
 * (add_tx in src/cryptonote_core/tx_pool.cpp): the transaction's own rules, fee, tx_extra, unlock
 * time, double spends in the pool, inputs. The same transaction is verified once for all who bring it
 * at the same time.
 */
export class Verification {
  readonly #chain: Blockchain;
  readonly #refusals = new Refusals();
  readonly #running = new Map<string, Promise<Verdict>>();

  constructor(chain: Blockchain) {
    this.#chain = chain;
  }

  /** The tip has changed: what was wrong may be right now. */
  tipChanged(): void {
    this.#refusals.clear();
  }

  verify(parsed: ParsedTransaction, options: VerificationOptions): Promise<Verdict> {
    const key = `${toHex(parsed.id)}${options.fromBlock}`;
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const verdict = this.#verify(parsed, options).finally(() => this.#running.delete(key));
    this.#running.set(key, verdict);
    return verdict;
  }

  async #verify(parsed: ParsedTransaction, options: VerificationOptions): Promise<Verdict> {
    const key = toHex(parsed.id);
    const { transactionVerifier } = this.#chain;
    const tipId = transactionVerifier.tip.id;
    const known = options.fromBlock ? undefined : this.#refusals.get(key);
    if (known !== undefined) return { error: known, tipId };
    try {
      await transactionVerifier.verifyOwnRules(parsed);
      if (!options.fromBlock) {
        checkRelay(parsed, { minimumFee: this.#minimumFee(parsed) });
        if (options.conflicts()) return { error: poolDoubleSpend(key), tipId };
      }
      return { inputs: await this.#verifyInputs(parsed, options.fromBlock) };
    } catch (error) {
      if (!(error instanceof ConsensusError)) throw error;
      const sameTip = bytesEqual(tipId, transactionVerifier.tip.id);
      if (!options.fromBlock && sameTip) this.#refusals.add(key, error);
      return { error, tipId };
    }
  }

  async #verifyInputs(
    parsed: ParsedTransaction,
    mayFail: boolean,
  ): Promise<InputCheck | undefined> {
    const { transactionVerifier } = this.#chain;
    try {
      const inputs = transactionVerifier.checkInputs(parsed);
      await transactionVerifier.verifyInputs(parsed, inputs);
      return inputs;
    } catch (error) {
      if (mayFail && error instanceof ConsensusError) return undefined;
      throw error;
    }
  }

  #minimumFee(parsed: ParsedTransaction): bigint {
    const chain = this.#chain;
    return minimumFee({
      rules: rulesFor(chain.nextVersion()),
      baseReward: chain.baseReward(),
      weightState: chain.weightState(),
      weight: transactionWeight(parsed),
    });
  }
}

export function poolDoubleSpend(txId: string): ConsensusError {
  return new ConsensusError('pool-double-spend', '', { txId });
}
