import type { ParsedTransaction } from '@monero-node/codec';

/**
 * The fee of a transaction: what version 1 leaves over between inputs and outputs, what version 2
 * states. 0 for a miner transaction.
 *
 * @returns atomic units
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
