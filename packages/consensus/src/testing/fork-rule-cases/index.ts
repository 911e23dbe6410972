import { BLOCK_CASES } from './blocks.ts';
import { INPUT_CASES } from './inputs.ts';
import { TRANSACTION_CASES } from './transactions.ts';
import type { ForkRuleCase, Outcome } from './types.ts';

export { NEXT_FORK_CASES } from './next-fork.ts';
export type { ForkRuleCase, Outcome, ForkPlace, Probe } from './types.ts';

/** All rules of the forks up to 16, changed by a fork or not, each probed on both sides. */
export const FORK_RULE_CASES: readonly ForkRuleCase[] = [
  ...BLOCK_CASES,
  ...TRANSACTION_CASES,
  ...INPUT_CASES,
];

/** Returns the expected result of a probe under a fork: the entry of the newest fork at or below it. */
export function expectedOutcome(
  outcomes: Readonly<Record<number, Outcome>>,
  version: number,
): Outcome {
  const from = Object.keys(outcomes)
    .map(Number)
    .filter((first) => first <= version)
    .reduce((a, b) => Math.max(a, b), 0);
  const outcome = outcomes[from];
  if (outcome === undefined) throw new Error(`no expected result for fork ${version}`);
  return outcome;
}
