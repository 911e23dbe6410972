import { spawnSync } from 'node:child_process';

/** The result of a program that found nothing to say. */
export const NOTHING_SAID = { status: 0, output: '' };

/** Defines a test that runs a program; where it is not installed the test is skipped with a message. */
export function testWith(
  program: string,
  name: string,
  body: (() => void) | (() => Promise<void>),
): void {
  if (spawnSync(program, ['--version']).error === undefined) return test(name, body);
  process.stderr.write(`skipped: ${name}: ${program} is not installed\n`);
  test.skip(`${name} (skipped: no ${program})`, body);
}

/** Runs a program; returns its status and everything it printed. */
export function runProgram(
  program: string,
  args: readonly string[],
): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}
