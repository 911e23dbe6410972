import { toHex } from '@monero-node/codec';
import type { ParsedTransaction } from '@monero-node/codec';
import { MAX_RELAYED_EXTRA } from './constants.ts';
import { ConsensusError } from './errors.ts';
import { feeOf } from './fee-of.ts';

/**
 * What a node asks of transactions it takes from wallets and peers, beyond the rules of the chain.
 * Never for transactions that come in a block or return from one. Source: add_tx in
 * src/cryptonote_core/tx_pool.cpp.
 *
 * @param limits minimumFee: as minimumFee() for the transaction's weight; atomic units
 * @throws ConsensusError 'fee-too-low', 'tx-extra-too-big', 'nonzero-unlock-time'
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
