import Sequencer from '@jest/test-sequencer';

/** Suites of several minutes. They begin early: at the end, one worker would wait for the other. */
const EARLY = /\/(?:47|52)-/;
/** Those begin when the longer suites of the recorded chain have begun, whose copies many others need. */
const EARLY_PLACE = '13-';

const keyOf = ({ path }) => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return EARLY.test(path) ? `${EARLY_PLACE}${name}` : name;
};

/** Balances the time of two workers: suites by number, but for long ones. No suite needs another one before it. */
export default class ByTime extends (Sequencer.default ?? Sequencer) {
  sort(tests) {
    return [...tests].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }
}
