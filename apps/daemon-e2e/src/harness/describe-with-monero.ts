import { afterAll, describe, test } from '@jest/globals';
import { missingPrograms, monerodRelease, type Program, type Release } from './binaries.ts';
import { killLeftoversIn, processFolder } from '../../leftovers.js';
import { runHome } from './run-folder.ts';

const ALL: readonly Program[] = ['monerod', 'monero-wallet-rpc', 'monero-blockchain-import'];

/**
 * Defines a suite that needs the real Monero programs. Without them it is skipped with a message, or fails
 * when REQUIRE_MONEROD=1. At its end, every process that it started is stopped.
 *
 * @param only the release of monerod that the suite is about; with another one it is skipped
 */
export function describeWithMonero(
  name: string,
  body: () => void,
  programs: readonly Program[] = ALL,
  only?: Release,
): void {
  const missing = missingPrograms(programs);
  const other = missing.length === 0 && only !== undefined && monerodRelease() !== only;
  if (other) {
    process.stderr.write(`skipped: ${name}: another release of monerod is installed\n`);
    describe.skip(`${name} (skipped: for the ${only} release of monerod)`, body);
  } else if (missing.length === 0) {
    describe(name, () => {
      // Stops the processes of this worker only, because other suites may be running.
      afterAll(() => void killLeftoversIn(processFolder(runHome())));
      body();
    });
  } else if (process.env['REQUIRE_MONEROD'] === '1' && missing.some(isRequired)) {
    test(name, () => {
      throw new Error(`REQUIRE_MONEROD is set, but these are missing: ${missing.join(', ')}`);
    });
  } else {
    // Not the console, whose output is dropped when a whole file is skipped.
    process.stderr.write(`skipped: ${name}: not installed: ${missing.join(', ')}\n`);
    describe.skip(`${name} (skipped: ${missing.join(', ')} not installed)`, body);
  }
}

/** Defines a suite that needs the real Monero programs and many minutes: without E2E_LONG=1 it is skipped with a message. */
export function describeLongWithMonero(
  name: string,
  body: () => void,
  programs: readonly Program[] = ALL,
): void {
  if (process.env['E2E_LONG'] === '1') return describeWithMonero(name, body, programs);
  process.stderr.write(`skipped: ${name}: takes many minutes, set E2E_LONG=1 for it\n`);
  describe.skip(`${name} (skipped: E2E_LONG is not set)`, body);
}

/** Returns whether a program must be installed when monerod must be: xmrig comes with the current release only. */
function isRequired(program: Program): boolean {
  return program !== 'xmrig' || process.env['E2E_CURRENT'] === '1';
}
