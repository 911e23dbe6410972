import { encodeTransaction, type Transaction } from '@monero-node/codec';
import {
  blockReward,
  COINBASE_UNLOCK,
  ConsensusError,
  type ForkRules,
} from '@monero-node/consensus';
import { minerPayment, type MinerPayment, type Payee } from './pay-miner.ts';
import { TemplateError } from './template-types.ts';

/** The block and the recipient of a miner transaction. */
export interface MinerTxPlan extends Payee {
  readonly medianWeight: number;
  /** By all blocks below, atomic units. */
  readonly generatedCoins: bigint;
  /** Weight of the other transactions of the block. */
  readonly txsWeight: number;
  /** Fees of the other transactions of the block, atomic units. */
  readonly fees: bigint;
}

export interface MinerTx {
  readonly tx: Transaction;
  /** Weight of the block including it. */
  readonly blockWeight: number;
  /** Public key in its extra field, 32 bytes. */
  readonly publicKey: Uint8Array;
}

const MAX_EXTRA_NONCE = 255;
const MAX_TRIES = 10;
/** Most outputs of a miner transaction that has one per digit. */
const MAX_OUTPUTS = 11;
/** Where the miner may take less than the reward, it leaves the remainder modulo this, atomic units. */
const CLAMP = 100_000_000n;
/** Where it must take all, the lowest digits share an output while their sum does not exceed this, atomic units. */
const DUST = 2_000_000_000n;

/**
 * Creates the miner transaction of a block. Its amount depends on the block's weight and so on its own size in
 * bytes; zeros are appended to its extra field until its size matches the weight its amount was computed for.
 *
 * Throws TemplateError when the extra nonce exceeds 255 bytes, the block is too heavy for a reward, or no size matches, and as
 * minerPayment does. Source: create_block_template in src/cryptonote_core/blockchain.cpp.
 */
export function createMinerTx(plan: MinerTxPlan): MinerTx {
  if (plan.extraNonce.length > MAX_EXTRA_NONCE)
    throw new TemplateError('extra-nonce', 'extra nonce too long');
  const payment = minerPayment(plan);
  const { txsWeight } = plan;
  let blockWeight = txsWeight + sizeOf(construct(plan, payment, txsWeight));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const tx = construct(plan, payment, blockWeight);
    const size = sizeOf(tx);
    const missing = blockWeight - txsWeight - size;
    if (missing < 0) {
      blockWeight = txsWeight + size;
      continue;
    }
    // One zero less when the length of the extra field now takes one more byte.
    const padded = [missing, missing - 1]
      .filter((zeros) => zeros >= 0)
      .map((zeros) => withZeros(tx, zeros))
      .find((candidate) => txsWeight + sizeOf(candidate) === blockWeight);
    if (padded !== undefined) return { tx: padded, blockWeight, publicKey: payment.publicKey };
    // When a single byte is missing, monerod tries the same weight again, in vain.
    blockWeight += Math.max(1, missing - 1);
  }
  throw new TemplateError('rules', `no miner transaction in ${MAX_TRIES} tries`);
}

const sizeOf = (tx: Transaction): number => encodeTransaction(tx).length;

function withZeros(tx: Transaction, count: number): Transaction {
  return { ...tx, extra: Uint8Array.of(...tx.extra, ...new Uint8Array(count)) };
}

/** Source: construct_miner_tx in src/cryptonote_core/cryptonote_tx_utils.cpp. */
function construct(plan: MinerTxPlan, payment: MinerPayment, blockWeight: number): Transaction {
  const { rules, height } = plan;
  const tx: Transaction = {
    version: rules.coinbaseVersion,
    unlockTime: BigInt(height + COINBASE_UNLOCK),
    inputs: [{ kind: 'gen', height }],
    outputs: outputAmounts(rules, reward(plan, blockWeight) + plan.fees).map((amount, index) => ({
      amount,
      target: payment.target(amount, index),
    })),
    extra: payment.extra,
  };
  if (rules.coinbaseVersion === 1) return tx;
  return { ...tx, rct: { type: 0, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] } };
}

function reward(plan: MinerTxPlan, blockWeight: number): bigint {
  const { rules, medianWeight, generatedCoins } = plan;
  try {
    return blockReward({ rules, medianWeight, blockWeight, generatedCoins });
  } catch (error) {
    if (error instanceof ConsensusError)
      throw new TemplateError('rules', error.message, { cause: error });
    throw error;
  }
}

/**
 * Returns the amounts, in atomic units, of the miner's outputs: a single one with RingCT; before RingCT one per
 * decimal digit, smallest first.
 *
 * Throws TemplateError when there would be more than 11 outputs. Source: decompose_amount_into_digits in
 * src/cryptonote_basic/cryptonote_format_utils.h.
 *
 * @param amount reward and fees, atomic units
 */
export function outputAmounts(rules: ForkRules, amount: bigint): bigint[] {
  if (rules.coinbaseVersion !== 1) return [amount];
  const taken = rules.minerTxExactReward ? amount : amount - (amount % CLAMP);
  const maxDust = rules.minerTxExactReward ? DUST : 0n;
  const amounts: bigint[] = [];
  let dust = 0n;
  let isDustDone = false;
  for (let order = 1n; order <= taken; order *= 10n) {
    const chunk = ((taken / order) % 10n) * order;
    if (dust + chunk <= maxDust) {
      dust += chunk;
      continue;
    }
    if (!isDustDone && dust > 0n) amounts.push(dust);
    isDustDone = isDustDone || dust > 0n;
    if (chunk > 0n) amounts.push(chunk);
  }
  if (!isDustDone && dust > 0n) amounts.push(dust);
  if (amounts.length > MAX_OUTPUTS) throw new TemplateError('rules', `${amounts.length} outputs`);
  return amounts;
}
