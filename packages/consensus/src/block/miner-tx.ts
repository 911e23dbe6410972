import { toHex } from '@monero-node/codec';
import type { ParsedTransaction } from '@monero-node/codec';
import { isDecomposed, sumU64 } from '../primitives/amounts.ts';
import { COINBASE_UNLOCK } from '../primitives/constants.ts';
import type { ConsensusErrorCode } from '../errors/error-codes.ts';
import { ConsensusError } from '../errors/consensus-error.ts';
import { areOutputsSorted, areOutputTypesAllowed } from '../transaction/output-types.ts';
import type { ForkRules } from '../forks/fork-table.ts';

/**
 * Checks the rules of a miner transaction that depend only on the block's height. Before fork 17 its tx_extra is free,
 * and its output keys need not be curve points; later see minerTxPoints.
 *
 * Throws ConsensusError, in this order: 'miner-tx-inputs', 'miner-tx-version', 'miner-tx-rct',
 * 'miner-tx-height', 'miner-tx-unlock', 'miner-tx-overflow', 'miner-tx-output-type', 'miner-tx-unsorted-outputs',
 * 'miner-tx-extra', 'miner-tx-output-count'.
 *
 * Source: Blockchain::prevalidate_miner_transaction in src/cryptonote_core/blockchain.cpp.
 *
 * @param height of the block
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
  const targets = rules.minerTxOutputTargets ?? rules.outputTargets;
  if (!areOutputTypesAllowed(targets, tx.outputs)) fail('miner-tx-output-type');
  if (!areOutputsSorted(rules, tx.outputs)) fail('miner-tx-unsorted-outputs');
  const { minerTxExtraBound: bound, minerTxMaxOutputs: most = Infinity } = rules;
  if (bound !== undefined && tx.extra.length >= bound + EXTRA_PER_OUTPUT * tx.outputs.length)
    fail('miner-tx-extra', `${tx.extra.length} bytes`);
  if (tx.outputs.length > most)
    fail('miner-tx-output-count', `${tx.outputs.length}, at most ${most}`);
}

/** Bytes of tx_extra that a miner transaction may have for each output. */
const EXTRA_PER_OUTPUT = 32;

/**
 * Returns the keys of a miner transaction's Carrot outputs, 32 bytes each: all must be in the prime-order subgroup, else
 * 'torsioned-output'. None for other outputs. Their commitments are computed from the amounts, so that they are.
 *
 * Source: Blockchain::validate_miner_transaction in src/cryptonote_core/blockchain.cpp.
 */
export function minerTxPoints({ tx }: Pick<ParsedTransaction, 'tx'>): Uint8Array[] {
  return tx.outputs.flatMap(({ target }) => (target.kind === 'carrot' ? [target.key] : []));
}

/**
 * Checks that the miner takes an amount that the fork allows. Arithmetic wraps at 64 bits, as upstream.
 * Under forks that let the miner take less, it must still take at least the fees.
 *
 * Returns the reward to record, in atomic units: the part that enters the generated coins, without fees.
 *
 * Throws ConsensusError 'miner-tx-decomposition', 'miner-tx-amount' or 'miner-tx-zero-output'.
 *
 * Source: Blockchain::validate_miner_transaction in src/cryptonote_core/blockchain.cpp.
 *
 * @param baseReward as blockReward returns it, atomic units
 * @param fees of all other transactions of the block, atomic units
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
  // No rule forbids it, but upstream's database cannot store it: every output of amount 0 needs a commitment.
  if (tx.version === 1 && amounts.includes(0n)) fail('miner-tx-zero-output');
  return recorded;
}

function u64(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}
