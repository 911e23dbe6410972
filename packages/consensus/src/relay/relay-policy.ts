import { toHex } from '@monero-node/codec';
import type { ParsedTransaction } from '@monero-node/codec';
import { MAX_EXTRA } from '../primitives/constants.ts';
import { ConsensusError } from '../errors/consensus-error.ts';

/**
 * Checks the policy for transactions from wallets and peers, which goes beyond the rules of the chain.
 * It does not apply to transactions that come in a block or return from one.
 *
 * Throws ConsensusError 'fee-too-low', 'tx-extra-too-big' or 'nonzero-unlock-time'.
 *
 * Source: tx_memory_pool::add_tx in src/cryptonote_core/tx_pool.cpp.
 *
 * @param limits minimumFee: result of minimumFee for the transaction's weight, atomic units
 */
export function checkRelay(p: ParsedTransaction, limits: { minimumFee: bigint }): void {
  const txId = toHex(p.id);
  const fee = statedFee(p);
  if (fee < limits.minimumFee) {
    throw new ConsensusError('fee-too-low', `${fee}, at least ${limits.minimumFee}`, { txId });
  }
  if (p.tx.extra.length > MAX_EXTRA) {
    throw new ConsensusError('tx-extra-too-big', `${p.tx.extra.length} bytes`, { txId });
  }
  if (p.tx.unlockTime !== 0n) {
    throw new ConsensusError('nonzero-unlock-time', `${p.tx.unlockTime}`, { txId });
  }
}

/**
 * Returns the fee as the policy reads it, before other rules have been checked: 0 for version 1 when it spends more than it
 * has or has other inputs than ring inputs.
 *
 * Source: get_tx_fee in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
function statedFee({ tx }: ParsedTransaction): bigint {
  if (tx.version === 2) return tx.rct?.fee ?? 0n;
  let [spent, paid] = [0n, 0n];
  for (const input of tx.inputs) {
    if (input.kind !== 'key') return 0n;
    spent = BigInt.asUintN(64, spent + input.amount);
  }
  for (const { amount } of tx.outputs) paid = BigInt.asUintN(64, paid + amount);
  return spent < paid ? 0n : spent - paid;
}
