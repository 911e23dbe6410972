// Where tests run: in the realm of Jest itself. In a context of Node's `vm`, as Jest's own environment has it, every use of a global is
// a call of a native function and every file of tests loads all modules again; the tests of rpc took more than twice the CPU.
import * as module from 'node:module';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import * as hooks from './hooks.mjs';

// The first is for Node 20.
if (module.registerHooks === undefined) module.register('./hooks.mjs', import.meta.url);
else module.registerHooks(hooks);

/** What Jest keeps in the global object for a file. */
const KEPT_BY_JEST = ['EVENT_HANDLERS', 'RETRY_TIMES', 'RETRY_TIMES_SETTER', 'TEST_TIMEOUT_SYMBOL'];

/** An environment of Jest; see https://jestjs.io/docs/configuration#testenvironment-string. */
export default class ThisRealm {
  global = globalThis;
  fakeTimers = null;
  moduleMocker = new ModuleMocker(globalThis);
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #before = {
    exit: process.exit,
    exitCode: process.exitCode,
    env: { ...process.env },
  };

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    // Node reads the source maps that typescript-hooks.mjs writes; Jest only those of modules that it loads.
    process.setSourceMapsEnabled(true);
    Error.prepareStackTrace = undefined;
    Error.stackTraceLimit = 10;
  }

  /** What a file of tests has changed is as before for the next. */
  async teardown() {
    const { exit, exitCode, env } = this.#before;
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    this.#restoreGlobals();
    Object.assign(process, { exit, exitCode });
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    for (const name of KEPT_BY_JEST) delete globalThis[Symbol.for(name)];
  }

  /** What has been added stays: a module that is loaded once may have added it. */
  #restoreGlobals() {
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      const before = this.#globals[name];
      const now = Object.getOwnPropertyDescriptor(globalThis, name);
      if (before?.configurable !== true || now === undefined) continue;
      if (before.value !== now.value || before.get !== now.get) {
        Object.defineProperty(globalThis, name, before);
      }
    }
  }

  exportConditions() {
    return ['@monero-node/source', 'node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
