// Reports a run of Jest: a line for each file when it has ended, failures with it, and the numbers to the file of TEST_RESULTS.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './setup/checkout.mjs';

/** A reporter for Jest; see https://jestjs.io/docs/configuration#custom-reporters. */
export default class TestReporter {
  onTestResult(_test, result) {
    const file = relative(root, result.testFilePath);
    const time = ((result.perfStats.end - result.perfStats.start) / 1000).toFixed(1);
    if (!result.failureMessage) {
      console.log(`${time.padStart(6)} s  ${file}`);
      return;
    }
    for (const { message, origin } of result.console ?? []) console.log(`${message}\n${origin}`);
    console.log(`\nFAIL ${file}\n${result.failureMessage}`);
  }

  onRunComplete(_contexts, results) {
    if (process.env.TEST_RESULTS === undefined) return;
    const files = results.testResults.map(({ testFilePath, perfStats, failureMessage }) => ({
      file: relative(root, testFilePath),
      time: perfStats.end - perfStats.start,
      failed: Boolean(failureMessage),
    }));
    const summary = {
      files,
      passed: results.numPassedTests,
      failed: results.numFailedTests,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    writeFileSync(process.env.TEST_RESULTS, JSON.stringify(summary));
  }
}
