import type { RpcFlag } from '../error-flags.ts';

/** Why a transaction was refused, by the flags of `/send_raw_transaction`, and how ZeroMQ words it. */
const REASONS = {
  low_mixin: 'mixin too low',
  double_spend: 'double spend',
  invalid_input: 'invalid input',
  invalid_output: 'invalid output',
  too_big: 'too big',
  overspend: 'overspend',
  fee_too_low: 'fee too low',
  too_few_outputs: 'too few outputs',
  tx_extra_too_big: 'tx_extra too long',
  nonzero_unlock_time: 'non-zero unlock time',
} as const satisfies Readonly<Record<RpcFlag, string>>;

/** One sentence for a set of flags. */
export function rejectionText(flags: readonly RpcFlag[]): string {
  const reasons = Object.entries(REASONS)
    .filter(([flag]) => flags.includes(flag as RpcFlag))
    .map(([, text]) => text);
  return reasons.length > 0
    ? reasons.join(' and ')
    : 'an unknown issue was found with the transaction';
}
