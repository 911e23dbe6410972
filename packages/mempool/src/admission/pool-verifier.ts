import { BoundedMap } from '@monero-node/base';
import { bytesEqual, toHex, type ParsedTransaction } from '@monero-node/codec';
import {
  hasUnreadableCommitment,
  hasUnreadableKeyImage,
  type Blockchain,
  type InputCheck,
  type Stranger,
} from '@monero-node/blockchain';
import {
  checkRelay,
  ConsensusError,
  minimumFee,
  rulesFor,
  transactionWeight,
  type ConsensusErrorCode,
} from '@monero-node/consensus';
import { VerificationPoolError } from '@monero-node/crypto';
import { MAX_REFUSED } from '../limits.ts';
import { Senders } from './senders.ts';

interface Judgement {
  /** The fork version whose rules the transaction itself was judged by. */
  readonly version: number;
}

interface Refusal extends Judgement {
  readonly error: ConsensusError;
  /** Id of the tip at which it is invalid, 32 bytes. */
  readonly tipId: Uint8Array;
}

interface Approval extends Judgement {
  /** Undefined for a transaction from a block whose inputs fail, which is allowed. */
  readonly inputs: InputCheck | undefined;
  readonly error?: never;
}

/** The result of a verification. Without `error` the transaction is valid. */
export type PoolVerdict = Approval | Refusal;

export interface PoolVerifierOptions {
  /** Whether it comes from a block: relay rules do not apply, and its inputs may fail. */
  readonly fromBlock: boolean;
  /** Whether another transaction of the pool spends the same key image. */
  readonly conflicts: () => boolean;
  /**
   * Who sent it, and has nothing to lose. Absent for what comes from a block or is in the pool already: these wait for a second opinion with
   * the blocks, however many there are, so that none of them is dropped or left unverified for want of one.
   */
  readonly stranger?: Stranger | undefined;
}

/** A verification under way. */
interface Running {
  readonly verdict: Promise<PoolVerdict | undefined>;
  readonly senders: Senders | undefined;
}

/**
 * Verifies transactions by the rules of the next block and the relay policy, in monerod's order: fee, tx_extra,
 * unlock time, double spends in the pool, the transaction's own rules, inputs. Rules that cost nothing and blame no
 * peer come first (since 0.18.5). Concurrent requests for the same transaction share one verification.
 *
 * Source: tx_memory_pool::add_tx in src/cryptonote_core/tx_pool.cpp.
 */
export class PoolVerifier {
  readonly #chain: Blockchain;
  /** Errors by id, for one tip: sending an invalid transaction again must not cost another verification. */
  readonly #refusals = new BoundedMap<string, Refusal>(MAX_REFUSED);
  readonly #running = new Map<string, Running>();

  constructor(chain: Blockchain) {
    this.#chain = chain;
  }

  /** Forgets errors, because a transaction may be valid at the new tip. */
  tipChanged(): void {
    this.#refusals.clear();
  }

  /**
   * Resolves to undefined only for a stranger's transaction, when it seems wrong and too many others that do wait for a second opinion, or all
   * who sent it have left: nothing is known of it, and nothing remembered. Settles to an error only for failures that are not the transaction's fault.
   */
  verify(
    parsed: ParsedTransaction,
    options: PoolVerifierOptions,
  ): Promise<PoolVerdict | undefined> {
    const { fromBlock, stranger } = options;
    const { version } = this.#chain.transactionVerifier;
    const key = `${toHex(parsed.id)} ${fromBlock} ${stranger !== undefined} ${version}`;
    const running = this.#running.get(key);
    // One whose senders have all left is about to end without an answer.
    const isOver = running?.senders?.left.aborted === true;
    const { verdict, senders } =
      running === undefined || isOver ? this.#start(key, parsed, options) : running;
    if (stranger !== undefined) senders?.add(stranger);
    return verdict;
  }

  #start(key: string, parsed: ParsedTransaction, options: PoolVerifierOptions): Running {
    const senders = options.stranger && new Senders();
    const verdict = this.#verify(parsed, { ...options, stranger: senders })
      .catch((error: unknown) => {
        if (senders === undefined || !isUnanswered(error, senders)) throw error;
        return undefined;
      })
      .finally(() => {
        senders?.end();
        if (this.#running.get(key) === running) this.#running.delete(key);
      });
    const running = { verdict, senders };
    this.#running.set(key, running);
    return running;
  }

  async #verify(parsed: ParsedTransaction, options: PoolVerifierOptions): Promise<PoolVerdict> {
    const key = toHex(parsed.id);
    const { transactionVerifier } = this.#chain;
    const tipId = transactionVerifier.tip.id;
    const { version } = transactionVerifier;
    const known = options.fromBlock ? undefined : this.#refusals.get(key);
    // The tip moves a moment before tipChanged() is called.
    if (known?.version === version && bytesEqual(known.tipId, tipId)) return known;
    try {
      if (!options.fromBlock) {
        checkRelay(parsed, { minimumFee: this.#minimumFee(parsed) });
        if (options.conflicts()) {
          return { error: asReported(poolDoubleSpend(key), parsed), tipId, version };
        }
      }
      await transactionVerifier.verifyOwnRules(parsed, options.stranger);
      return { inputs: await this.#verifyInputs(parsed, options), version };
    } catch (error) {
      if (!(error instanceof ConsensusError)) throw error;
      const verdict = { error: asReported(error, parsed), tipId, version };
      const sameTip = bytesEqual(tipId, transactionVerifier.tip.id);
      if (!options.fromBlock && sameTip) this.#refusals.set(key, verdict);
      return verdict;
    }
  }

  async #verifyInputs(
    parsed: ParsedTransaction,
    { fromBlock, stranger }: PoolVerifierOptions,
  ): Promise<InputCheck | undefined> {
    const { transactionVerifier } = this.#chain;
    try {
      const inputs = transactionVerifier.checkInputs(parsed);
      await transactionVerifier.verifyInputs(parsed, inputs, stranger);
      return inputs;
    } catch (error) {
      if (fromBlock && error instanceof ConsensusError) return undefined;
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

/** Returns whether an error says that a stranger's transaction got no second opinion. */
function isUnanswered(error: unknown, { left }: Senders): boolean {
  if (left.aborted && error === left.reason) return true;
  return error instanceof VerificationPoolError && error.code === 'busy';
}

/** Rules of outputs that monerod checks after it has decoded the key images. */
const OUTPUT_RULES: ReadonlySet<ConsensusErrorCode> = new Set([
  'output-amount',
  'output-type',
  'rct-type',
]);

/**
 * Returns the error that monerod reports for a transaction that was found to break a rule. monerod checks in another order: first that
 * the transaction parses, which fails for a commitment that is no point and (0.18.5.3, not 0.18.0.0) for an input of a script; then that
 * the key images do; and only then some rules of outputs.
 */
export function asReported(error: ConsensusError, parsed: ParsedTransaction): ConsensusError {
  const place = { txId: toHex(parsed.id) };
  const { inputs } = parsed.tx;
  if (inputs.some(({ kind }) => kind === 'script' || kind === 'scripthash')) {
    return new ConsensusError('bad-tx-blob', 'an input of a script', place);
  }
  if (hasUnreadableCommitment(parsed)) {
    return new ConsensusError('bad-tx-blob', 'a commitment is not a point', place);
  }
  return OUTPUT_RULES.has(error.code) && hasUnreadableKeyImage(parsed)
    ? new ConsensusError('key-image-encoding', '', place)
    : error;
}

/** Returns the error of a transaction that spends a key image of another one in the pool. */
export function poolDoubleSpend(txId: string): ConsensusError {
  return new ConsensusError('pool-double-spend', '', { txId });
}
