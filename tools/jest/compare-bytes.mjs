// Jest compares byte arrays element by element, which takes most of the time of tests of codecs and stores. This compares those of one
// class at once. Arrays of different classes are left to Jest, to which they differ.
import { expect } from '@jest/globals';

expect.addEqualityTesters([
  (a, b) =>
    a instanceof Uint8Array && b instanceof Uint8Array && a.constructor === b.constructor
      ? Buffer.compare(a, b) === 0
      : undefined,
]);
