import type { TxOutput } from '@monero-node/codec';
import type { ForkRules, OutputTargetKind } from '../forks/fork-table.ts';

/**
 * Whether all output targets are of kinds that the fork allows, and all of the same kind.
 *
 * Source: check_output_types in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function areOutputTypesAllowed(rules: ForkRules, outputs: readonly TxOutput[]): boolean {
  const kinds = new Set(outputs.map((output) => output.target.kind));
  return (
    kinds.size <= 1 &&
    [...kinds].every((kind) => rules.outputTargets.includes(kind as OutputTargetKind))
  );
}
