import Sequencer from '@jest/test-sequencer';

/** Suites of several minutes that need no data of others. They begin early: at the end, one worker would wait for the other. */
const EARLY = /\/(?:47|52)-/;
/** Suites before this one prepare data that later ones copy. */
const FIRST_COPIER = '13-';

const keyOf = ({ path }) => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return EARLY.test(path) ? `${FIRST_COPIER}${name}` : name;
};

/** Suites in the order of their file names, but for long ones. */
export default class ByName extends (Sequencer.default ?? Sequencer) {
  sort(tests) {
    return [...tests].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }
}
