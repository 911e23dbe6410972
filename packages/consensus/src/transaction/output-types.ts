import { compareBytes, type TxOutput } from '@monero-node/codec';
import type { ForkRules, OutputTargetKind } from '../forks/fork-table.ts';

/**
 * Whether all output targets are of kinds that are allowed, and all of the same kind.
 *
 * Source: check_output_types in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function areOutputTypesAllowed(
  allowed: readonly OutputTargetKind[],
  outputs: readonly TxOutput[],
): boolean {
  const kinds = new Set(outputs.map((output) => output.target.kind));
  return kinds.size <= 1 && [...kinds].every((kind) => allowed.includes(kind as OutputTargetKind));
}

/**
 * Whether outputs are Carrot outputs; those of a transaction are all of one kind.
 *
 * Source: check_output_types in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function areCarrot(outputs: readonly TxOutput[]): boolean {
  return outputs[0]?.target.kind === 'carrot';
}

/**
 * Whether the keys of outputs are in the order that the fork demands: ascending as bytes, the first above 32 zero bytes. Outputs
 * without keys count as unsorted.
 *
 * Source: check_transaction_output_pubkeys_order in src/cryptonote_core/tx_verification_utils.cpp.
 */
export function areOutputsSorted(rules: ForkRules, outputs: readonly TxOutput[]): boolean {
  if (rules.sortedOutputs === 'none') return true;
  if (rules.sortedOutputs === 'carrot' && !areCarrot(outputs)) return true;
  let last: Uint8Array = new Uint8Array(32);
  for (const { target } of outputs) {
    if (!('key' in target) || compareBytes(target.key, last) <= 0) return false;
    last = target.key;
  }
  return true;
}
