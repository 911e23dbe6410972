import { appendFileSync } from 'node:fs';

/** Writes one line of counts for each finished suite to the file that E2E_RESULTS names. */
export default class CountsReporter {
  onTestResult(test, { numPassingTests, numFailingTests, numPendingTests, testExecError }) {
    const file = process.env.E2E_RESULTS;
    if (file === undefined) return;
    const counts = {
      suite: test.path,
      passed: numPassingTests,
      // A suite that could not be loaded has no tests to fail.
      failed: numFailingTests + (testExecError !== undefined && numFailingTests === 0 ? 1 : 0),
      skipped: numPendingTests,
    };
    appendFileSync(file, `${JSON.stringify(counts)}\n`);
  }
}
