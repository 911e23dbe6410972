import { toHex } from '@monero-node/codec';
import type { ParsedTransaction } from '@monero-node/codec';
import { isDecomposed, sumU64 } from './amounts.ts';
import { COINBASE_UNLOCK } from './constants.ts';
import type { ConsensusErrorCode } from './error-codes.ts';
import { ConsensusError } from './errors.ts';
import { areOutputTypesAllowed } from './output-types.ts';
import type { ForkRules } from './rules.ts';

/**
 * Rules of a miner transaction that need nothing but the block's height, in the order of
 * prevalidate_miner_transaction (src/cryptonote_core/blockchain.cpp). Its extra is free, and its
 * output keys need not be curve points.
 *
 * @param height of the block
 * @throws ConsensusError 'miner-tx-inputs', 'miner-tx-version', 'miner-tx-rct', 'miner-tx-height',
 *   'miner-tx-unlock', 'miner-tx-overflow', 'miner-tx-output-type'
 */
export function checkMinerTxShape(
  rules: ForkRules,
  height: number,
  minerTx: ParsedTransaction,
): void {
  const { tx } = minerTx;
  const fail = (code: ConsensusErrorCode, detail = '') => {
    throw new ConsensusError(code, detail, { height, txId: toHex(minerTx.id) });
  };
  const [input, ...others] = tx.inputs;
  if (input?.kind !== 'gen' || others.length > 0) return fail('miner-tx-inputs');
  if (tx.version < rules.minerTxMinVersion) fail('miner-tx-version', `version ${tx.version}`);
  const rctType = tx.version === 1 ? 0 : (tx.rct?.type ?? 0);
  if (rules.minerTxNullRct && rctType !== 0) fail('miner-tx-rct', `type ${rctType}`);
  if (input.height !== height) fail('miner-tx-height', `${input.height}, expected ${height}`);
  const unlock = BigInt(height + COINBASE_UNLOCK);
  if (tx.unlockTime !== unlock) {
    fail('miner-tx-unlock', `${tx.unlockTime}, expected ${unlock}`);
  }
  if (sumU64(tx.outputs.map((output) => output.amount)) === undefined) fail('miner-tx-overflow');
  if (!areOutputTypesAllowed(rules, tx.outputs)) fail('miner-tx-output-type');
}

/**
 * Whether the miner takes what it may (validate_miner_transaction). Arithmetic wraps at 64 bits as
 * there. Forks that allow to take less still ask for no less than the fees.
 *
 * @param baseReward blockReward of the block, atomic units
 * @param fees of all other transactions of the block, atomic units
 * @returns the reward to record: what enters the generated coins, without fees
 * @throws ConsensusError 'miner-tx-decomposition', 'miner-tx-amount', 'miner-tx-zero-output'
 */
export function checkMinerTxAmount(
  rules: ForkRules,
  minerTx: ParsedTransaction,
  baseReward: bigint,
  fees: bigint,
): bigint {
  const { tx } = minerTx;
  const fail = (code: ConsensusErrorCode, detail = '') => {
    throw new ConsensusError(code, detail, { txId: toHex(minerTx.id) });
  };
  const amounts = tx.outputs.map((output) => output.amount);
  if (rules.minerTxDecomposed && !amounts.every(isDecomposed)) fail('miner-tx-decomposition');
  const taken = u64(amounts.reduce((sum, amount) => sum + amount, 0n));
  const allowed = u64(baseReward + fees);
  if (taken > allowed || (rules.minerTxExactReward && taken !== allowed)) {
    fail('miner-tx-amount', `takes ${taken}, reward and fees are ${allowed}`);
  }
  const recorded = rules.minerTxExactReward ? baseReward : u64(taken - fees);
  if (recorded > baseReward) fail('miner-tx-amount', `takes ${taken}, less than the fees ${fees}`);
  // Nothing forbids it, but the output list of amount 0 takes no entry without a commitment.
  if (tx.version === 1 && amounts.includes(0n)) fail('miner-tx-zero-output');
  return recorded;
}

function u64(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}
