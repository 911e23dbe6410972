import type { ParsedTransaction } from '@monero-node/codec';

/**
 * Returns the fee of a transaction in atomic units: in version 1 the inputs less the outputs, in version
 * 2 the stated fee. 0 for a miner transaction.
 *
 * Source: get_tx_fee in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function feeOf(p: ParsedTransaction): bigint {
  const { tx } = p;
  if (tx.inputs.some((input) => input.kind === 'gen')) return 0n;
  if (tx.version === 2) return tx.rct === undefined || tx.rct.type === 0 ? 0n : tx.rct.fee;
  let fee = 0n;
  for (const input of tx.inputs) fee += input.kind === 'key' ? input.amount : 0n;
  for (const output of tx.outputs) fee -= output.amount;
  return BigInt.asUintN(64, fee);
}
