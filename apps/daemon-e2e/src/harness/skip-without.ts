import { spawnSync } from 'node:child_process';
import { describe } from '@jest/globals';

/** Returns which of the programs cannot be run here. */
export function missingCommands(names: readonly string[]): string[] {
  return names.filter((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error);
}

/** Defines tests that need something besides this repository; without it they are skipped, and the reason is printed. */
export function describeUnless(lack: string | undefined, name: string, body: () => void): void {
  if (lack === undefined) return describe(name, body);
  // Not the console, whose output is dropped when a whole file is skipped.
  process.stderr.write(`skipped: ${name}: ${lack}\n`);
  describe.skip(`${name} (skipped: ${lack})`, body);
}

/** Defines tests that need programs which may not be installed. */
export function describeWith(commands: readonly string[], name: string, body: () => void): void {
  const missing = missingCommands(commands);
  const lack = missing.length === 0 ? undefined : `not installed: ${missing.join(', ')}`;
  describeUnless(lack, name, body);
}
