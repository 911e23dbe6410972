// The suites that drive the real monerod and monero-wallet-rpc; started by tools/run-e2e.mjs.
import preset from '../../jest.preset.js';
export default {
  ...preset,
  displayName: 'e2e',
  testMatch: ['<rootDir>/src/{conformance,system,browser}/*.e2e.ts'],
  testSequencer: '<rootDir>/e2e-sequencer.js',
  globalSetup: '<rootDir>/e2e-setup.js',
  reporters: ['default', '<rootDir>/e2e-reporter.js'],
  testTimeout: 60_000,
};
