// Reports tests to Jest: failures at once, progress every few seconds, and at the end the slowest files and the numbers.
import { relative } from 'node:path';

/** Milliseconds between lines of progress. */
const PROGRESS_MS = 5000;
const SLOWEST = 10;

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;
const count = (number, noun) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

/** A reporter for Jest; see https://jestjs.io/docs/configuration#custom-reporters. */
export default class TestReporter {
  #root;
  #shown = 0;
  #failed = [];

  constructor({ rootDir }) {
    this.#root = rootDir;
  }

  onRunStart({ numTotalTestSuites }) {
    console.log(`tests: ${count(numTotalTestSuites, 'file')}`);
  }

  onTestResult(_test, result, totals) {
    const file = relative(this.#root, result.testFilePath);
    if (result.failureMessage) {
      this.#failed.push(file);
      for (const { message, origin } of result.console ?? []) console.log(`${message}\n${origin}`);
      console.log(`\nFAIL ${file}\n${result.failureMessage}`);
    }
    if (Date.now() - this.#shown < PROGRESS_MS) return;
    this.#shown = Date.now();
    const { numTotalTestSuites, numPassedTests, numFailedTests, startTime } = totals;
    const done =
      totals.numPassedTestSuites + totals.numFailedTestSuites + totals.numPendingTestSuites;
    console.log(
      `tests: ${done} of ${count(numTotalTestSuites, 'file')}, ${numPassedTests} passed, ` +
        `${numFailedTests} failed, ${seconds(Date.now() - startTime)}; ${file}`,
    );
  }

  onRunComplete(_contexts, results) {
    const files = results.testResults
      .map(({ testFilePath, perfStats }) => [
        perfStats.end - perfStats.start,
        relative(this.#root, testFilePath),
      ])
      .sort(([a], [b]) => b - a);
    console.log('\nThe slowest files:');
    for (const [time, file] of files.slice(0, SLOWEST)) {
      console.log(`${seconds(time).padStart(9)}  ${file}`);
    }
    if (this.#failed.length > 0) console.log(`\nFailed:\n${this.#failed.join('\n')}`);
    const skipped = results.numPendingTests + results.numTodoTests;
    console.log(
      `\n${count(results.numPassedTests, 'test')} passed, ${results.numFailedTests} failed, ` +
        `${skipped} skipped, in ${count(files.length, 'file')} and ${seconds(Date.now() - results.startTime)}`,
    );
    if (results.numRuntimeErrorTestSuites > 0) {
      console.log(`${count(results.numRuntimeErrorTestSuites, 'file')} could not be run`);
    }
  }
}
