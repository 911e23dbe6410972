// Runs a file of tests with Jest's own runner, and imports its modules as Node does: each module once for all files of a process.
// A file that replaces modules, or needs modules that no other file has used, begins with a comment that names the environment of Jest:
// Jest then loads all that it imports again, into a context of its own.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { CURRENT } from './globals.mjs';

const require = createRequire(import.meta.url);
const { default: circus } = require('jest-circus/runner');
const asyncHooks = require('node:async_hooks');

/**
 * In place of the AsyncLocalStorage in which jest-circus keeps the test that runs. Tests of a file run one after the other, so one
 * variable does. The other makes Node 20 and 22 call a hook for every promise, which took 8 % of the CPU.
 */
class SerialContext {
  #store;

  getStore() {
    return this.#store;
  }

  run(store, callback) {
    const outer = this.#store;
    const restore = () => {
      this.#store = outer;
    };
    this.#store = store;
    return callback().finally(restore);
  }
}

/** Loads a module of jest-circus anew. */
function loadAgain(file) {
  delete require.cache[file];
  const before = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', {
    value: SerialContext,
    configurable: true,
  });
  try {
    return require(file);
  } finally {
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', before);
  }
}

/** The runner that jest.config.js names; its parameters are those of jest-circus. */
export default function run(globalConfig, config, environment, runtime, path, send) {
  if (environment.getVmContext() !== null) {
    return circus(globalConfig, config, environment, runtime, path, send);
  }
  const inThisRealm = Object.create(runtime, {
    // The list of tests is a variable of this module.
    requireInternalModule: { value: loadAgain },
    unstable_shouldLoadAsEsm: { value: () => true },
    unstable_importModule: {
      value(file) {
        globalThis[CURRENT] = runtime.requireModuleOrMock(path, '@jest/globals');
        return import(pathToFileURL(file).href);
      },
    },
  });
  return circus(globalConfig, config, environment, inThisRealm, path, send);
}
