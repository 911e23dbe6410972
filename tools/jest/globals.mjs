// What tests import as `@jest/globals`. Each file of tests has a Jest of its own, but modules of helpers are loaded once:
// so every name stands for that of the file that runs now, which runner.mjs sets.

/** Where the globals of the file that runs now are. */
export const CURRENT = Symbol.for('monero-node.jest-globals');

const ofCurrentFile = (name) =>
  new Proxy(() => {}, {
    get: (_, key) => globalThis[CURRENT][name][key],
    apply: (_, self, args) => Reflect.apply(globalThis[CURRENT][name], self, args),
  });

export const jest = ofCurrentFile('jest');
export const expect = ofCurrentFile('expect');
export const describe = ofCurrentFile('describe');
export const it = ofCurrentFile('it');
export const test = ofCurrentFile('test');
export const beforeAll = ofCurrentFile('beforeAll');
export const beforeEach = ofCurrentFile('beforeEach');
export const afterEach = ofCurrentFile('afterEach');
export const afterAll = ofCurrentFile('afterAll');
