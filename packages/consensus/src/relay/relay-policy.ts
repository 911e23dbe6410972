import { toHex } from '@monero-node/codec';
import type { ParsedTransaction } from '@monero-node/codec';
import { MAX_RELAYED_EXTRA } from '../primitives/constants.ts';
import { ConsensusError } from '../errors/consensus-error.ts';
import { feeOf } from '../transaction/fee-of.ts';

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
  const fee = feeOf(p);
  if (fee < limits.minimumFee) {
    throw new ConsensusError('fee-too-low', `${fee}, at least ${limits.minimumFee}`, { txId });
  }
  if (p.tx.extra.length > MAX_RELAYED_EXTRA) {
    throw new ConsensusError('tx-extra-too-big', `${p.tx.extra.length} bytes`, { txId });
  }
  if (p.tx.unlockTime !== 0n) {
    throw new ConsensusError('nonzero-unlock-time', `${p.tx.unlockTime}`, { txId });
  }
}
