import type { Network } from '../../network/types.ts';
import type { ForkRules } from '../../forks/fork-table.ts';
import { codeOf } from '../transactions.ts';

/** A block height of a network, with the rules in force there. */
export interface ForkPlace {
  readonly network: Network;
  readonly height: number;
  readonly version: number;
  readonly rules: ForkRules;
}

/** `passes`, the code of the error, or a value that the rule computes. */
export type Outcome = string;

export interface Probe {
  readonly name: string;
  /** Keyed by the first fork to which it applies, until the next one listed. */
  readonly outcomes: Readonly<Record<number, Outcome>>;
  readonly run: (place: ForkPlace) => Outcome;
}

/** A rule and probes just inside and just outside of it. */
export interface ForkRuleCase {
  readonly topic: 'Blocks' | 'Miner transaction' | 'Transactions' | 'Inputs' | 'Relay';
  readonly rule: string;
  /** The file of monerod that contains the rule. */
  readonly source: string;
  readonly probes: readonly Probe[];
}

/** Returns `passes` or the code of the ConsensusError thrown. */
const judged =
  (run: (place: ForkPlace) => unknown) =>
  (place: ForkPlace): Outcome =>
    codeOf(() => run(place)) ?? 'passes';

/** Returns a probe of something that is accepted or rejected. */
export const probe = (
  name: string,
  outcomes: Readonly<Record<number, Outcome>>,
  run: (place: ForkPlace) => unknown,
): Probe => ({ name, outcomes, run: judged(run) });

/** Returns a probe of a number that the rule computes. */
export const value = (
  name: string,
  outcomes: Readonly<Record<number, string | number | bigint>>,
  run: (place: ForkPlace) => string | number | bigint,
): Probe => ({
  name,
  outcomes: Object.fromEntries(
    Object.entries(outcomes).map(([version, outcome]) => [version, String(outcome)]),
  ),
  run: (place) => String(run(place)),
});

export const PASSES = { 1: 'passes' } as const;
/** Rejected under every fork. */
export const always = (code: string): Record<number, Outcome> => ({ 1: code });
/** Rejected from a fork on. */
export const from = (version: number, code: string): Record<number, Outcome> => ({
  1: 'passes',
  [version]: code,
});
/** Accepted from a fork on. */
export const before = (version: number, code: string): Record<number, Outcome> => ({
  1: code,
  [version]: 'passes',
});
