import type { ParsedTransaction } from '@monero-node/codec';

/**
 * Returns the fee of a transaction in atomic units: in version 1 the inputs less the outputs, in version
 * 2 the stated fee. 0 for a miner transaction.
 *
 * Source: get_tx_fee in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function feeOf({ parts }: Pick<ParsedTransaction, 'parts'>): bigint {
  if (parts.isCoinbase) return 0n;
  if (parts.version === 2) return parts.rctFee;
  let fee = parts.inputAmount;
  for (let i = 0; i < parts.outputCount; i++) fee -= parts.outputAmount(i);
  return BigInt.asUintN(64, fee);
}
