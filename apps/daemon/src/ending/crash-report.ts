import { readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@monero-node/storage';

/** Reports that are kept; older ones are removed. */
const MAX_REPORTS = 5;
const REPORT_NAME = /^crash-\d{4}-\d\d-\d\dT[\d-]+\.txt$/;
/** Characters of the error that are written: a message may quote what a peer sent. */
const MAX_ERROR = 50_000;

/** The contents of a report, besides the state of the process, which it reads itself. */
export interface CrashFacts {
  readonly version: string;
  /** The options given, without the values that may be secret. */
  readonly options: readonly string[];
  /** The error with its stack. */
  readonly error: string;
  /** The newest lines of the log. */
  readonly log: readonly string[];
}

function textOf({ version, options, error, log }: CrashFacts, now: Date): string {
  const memory = Object.entries(process.memoryUsage())
    .map(([name, bytes]) => `${name} ${(bytes / 2 ** 20).toFixed(0)} MiB`)
    .join(', ');
  return `${[
    `${version} ended because of an error in the program. Please report it with this file.`,
    '',
    `time:    ${now.toISOString()}, after ${process.uptime().toFixed(0)} s`,
    `system:  ${process.platform} ${process.arch}, Node ${process.version}`,
    `memory:  ${memory}`,
    `options: ${options.length === 0 ? '(none)' : options.join(' ')}`,
    '',
    error.slice(0, MAX_ERROR),
    '',
    'Last lines of the log:',
    ...log,
  ].join('\n')}\n`;
}

/**
 * Writes `crash-<time>.txt` and returns its path. Five reports are kept.
 *
 * Throws the error of the system when it cannot be written.
 */
export function writeCrashReport(directory: string, facts: CrashFacts, now = new Date()): string {
  makeFolder(directory);
  const path = join(directory, `crash-${now.toISOString().replace(/[:.]/g, '-').slice(0, -1)}.txt`);
  writeFileSync(path, textOf(facts, now), { mode: 0o600 });
  const reports = readdirSync(directory)
    .filter((name) => REPORT_NAME.test(name))
    .sort();
  for (const old of reports.slice(0, -MAX_REPORTS)) unlinkSync(join(directory, old));
  return path;
}
