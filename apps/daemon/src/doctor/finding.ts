import { systemCodeOf } from '@monero-node/storage/system';

/** From good to bad. `note`: nothing is wrong, but worth knowing. `warning`: it works, worse than it could or not for long. */
export const VERDICTS = ['not-checked', 'ok', 'note', 'warning', 'failure'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What a check has found. */
export interface Outcome {
  readonly verdict: Verdict;
  /** What was seen; with `not-checked`, why nothing was looked at. */
  readonly seen: string;
  /** What to do; undefined where there is nothing to do. */
  readonly advice?: string | undefined;
}

/** What a check has found, with the check's name. */
export interface Finding extends Outcome {
  /** The same in every release. */
  readonly id: string;
}

/** Returns the outcome of a check that has found nothing wrong. */
export const ok = (seen: string): Outcome => ({ verdict: 'ok', seen });

/** Returns the outcome of a check that could not be made. */
export const notChecked = (why: string, advice?: string): Outcome => ({
  verdict: 'not-checked',
  seen: why,
  advice,
});

/** Returns the outcome of a check that has found something worth knowing. */
export const note = (seen: string, advice?: string): Outcome => ({ verdict: 'note', seen, advice });

/** Returns the outcome of a check that has found what works, but worse than it could or not for long. */
export const warning = (seen: string, advice: string): Outcome => ({
  verdict: 'warning',
  seen,
  advice,
});

/** Returns the outcome of a check that has found what keeps the node from working, or opens it to strangers. */
export const failure = (seen: string, advice: string): Outcome => ({
  verdict: 'failure',
  seen,
  advice,
});

/** Returns the worst of some verdicts; `not-checked` when there is none. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  const worst = Math.max(0, ...verdicts.map((each) => VERDICTS.indexOf(each)));
  return VERDICTS[worst] ?? 'failure';
}

/**
 * Returns the outcomes of a check of several things as one, with the worst of their verdicts. What is fine is left out when
 * something is not.
 */
export function together(outcomes: readonly Outcome[]): Outcome {
  const verdict = worstOf(outcomes.map((each) => each.verdict));
  const isFine = verdict === 'ok' || verdict === 'not-checked';
  const shown = outcomes.filter((each) => isFine || !['ok', 'not-checked'].includes(each.verdict));
  const advice = [...new Set(shown.flatMap((each) => each.advice ?? []))].join(' ');
  return {
    verdict,
    seen: shown.map(({ seen }) => seen).join('; '),
    advice: advice === '' ? undefined : advice,
  };
}

/** Returns the name of a failure of the system, such as `ECONNREFUSED`, or the message of any other error. */
export function failureText(error: unknown): string {
  return systemCodeOf(error) ?? (error instanceof Error ? error.message : String(error));
}
