import { EXIT } from '../ending/exit-codes.ts';
import { VERDICTS, worstOf, type Finding, type Verdict } from './finding.ts';

/** How a verdict is written in the report. */
const NAMES: Readonly<Record<Verdict, string>> = {
  'not-checked': 'not checked',
  ok: 'ok',
  note: 'note',
  warning: 'WARNING',
  failure: 'FAILURE',
};
const COLUMN = 13;

/** Returns the report for a person: a line for each check, what to do below it, and a summary. */
export function textReport(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ id, verdict, seen, advice }) => [
    `${NAMES[verdict].padEnd(COLUMN)}${id.padEnd(COLUMN)}${seen}`,
    ...(advice === undefined ? [] : [`${' '.repeat(2 * COLUMN)}> ${advice}`]),
  ]);
  const counts = [...VERDICTS].reverse().flatMap((verdict) => {
    const count = findings.filter((each) => each.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${counted(verdict, count)}`];
  });
  return [...lines, '', `${findings.length} checks: ${counts.join(', ')}`].join('\n');
}

/** Returns the word of a verdict behind a number. */
function counted(verdict: Verdict, count: number): string {
  const name = NAMES[verdict].toLowerCase();
  return count === 1 || verdict === 'ok' || verdict === 'not-checked' ? name : `${name}s`;
}

/** Returns the report for a program, as JSON: the worst verdict, and for each check its id, verdict, what was seen and what to do. */
export function jsonReport(findings: readonly Finding[]): string {
  return JSON.stringify({
    verdict: worstOf(findings.map(({ verdict }) => verdict)),
    checks: findings.map(({ id, verdict, seen, advice = null }) => ({ id, verdict, seen, advice })),
  });
}

/** Returns the exit status: 0 for a healthy node, also with notes; 2 with warnings, 1 with a failure. */
export function statusOf(findings: readonly Finding[]): number {
  const worst = worstOf(findings.map(({ verdict }) => verdict));
  if (worst === 'failure') return EXIT.failed;
  return worst === 'warning' ? EXIT.warnings : EXIT.ok;
}
