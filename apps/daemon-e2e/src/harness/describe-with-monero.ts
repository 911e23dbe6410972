import { afterAll, describe, test } from '@jest/globals';
import { missingPrograms, type Program } from './binaries.ts';
import { killLeftoversIn, processFolder } from '../../leftovers.js';
import { runHome } from './run-folder.ts';

const ALL: readonly Program[] = ['monerod', 'monero-wallet-rpc', 'monero-blockchain-import'];

/**
 * Defines a suite that needs the real Monero programs. Without them it is skipped with a message, or fails
 * when REQUIRE_MONEROD=1. At its end, every process that it started is stopped.
 */
export function describeWithMonero(
  name: string,
  body: () => void,
  programs: readonly Program[] = ALL,
): void {
  const missing = missingPrograms(programs);
  if (missing.length === 0) {
    describe(name, () => {
      // Stops the processes of this worker only, because other suites may be running.
      afterAll(() => void killLeftoversIn(processFolder(runHome())));
      body();
    });
  } else if (process.env['REQUIRE_MONEROD'] === '1') {
    test(name, () => {
      throw new Error(`REQUIRE_MONEROD is set, but these are missing: ${missing.join(', ')}`);
    });
  } else {
    // Not the console, whose output is dropped when a whole file is skipped.
    process.stderr.write(`skipped: ${name}: not installed: ${missing.join(', ')}\n`);
    describe.skip(`${name} (skipped: ${missing.join(', ')} not installed)`, body);
  }
}
