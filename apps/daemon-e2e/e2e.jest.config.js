// The suites that drive the real monerod and monero-wallet-rpc; started by tools/run-e2e.mjs. There are three, each with its own
// set-up: what is compared with monerod, the daemon as operators run it, and what runs in browsers.
import preset from '../../jest.preset.js';

const suite = (name, setUp) => ({
  ...preset,
  displayName: name,
  testMatch: [`<rootDir>/src/${name}/*.e2e.ts`],
  globalSetup: `<rootDir>/${setUp}`,
});

export default {
  projects: [
    suite('conformance', 'e2e-setup-conformance.js'),
    suite('system', 'e2e-setup.js'),
    suite('browser', 'e2e-setup.js'),
  ],
  testSequencer: '<rootDir>/e2e-sequencer.js',
  // Jest takes it from here, not from the suites.
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/e2e-reporter.js'],
};
