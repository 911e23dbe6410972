import Sequencer from '@jest/test-sequencer';

/** Suites of several minutes. They begin first: at the end, one worker would wait for the other. */
const EARLY = /\/(?:47|52)-/;

const nameOf = ({ path }) => path.slice(path.lastIndexOf('/') + 1);

/** Balances the time of two workers: the long ones first, then by number. No suite needs another one before it. */
export default class ByTime extends (Sequencer.default ?? Sequencer) {
  sort(tests) {
    const keyOf = (test) => `${EARLY.test(test.path) ? 0 : 1} ${nameOf(test)}`;
    return [...tests].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }
}
