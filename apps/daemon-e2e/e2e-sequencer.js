import Sequencer from '@jest/test-sequencer';

/** Suites in the order of their file names: the first ones prepare data that later ones copy. */
export default class ByName extends (Sequencer.default ?? Sequencer) {
  sort(tests) {
    return [...tests].sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}
