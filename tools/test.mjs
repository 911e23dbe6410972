// `npm test`: prepares the checkout, then runs all unit tests. Nothing is taken from a cache of results: every run is fresh.
//
//   npm test                              everything
//   npm test -- packages/codec            the files whose paths match
//   npm test -- --selectProjects codec    the tests of some packages; other options of Jest work as well
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './setup/checkout.mjs';

await import('./setup.mjs');

// An option of nx, for those who know it from there: there is no cache to skip.
const args = process.argv.slice(2).filter((arg) => arg !== '--skip-nx-cache');
const jest = createRequire(join(root, 'package.json')).resolve('jest/bin/jest');
const child = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    jest,
    ...['--config', join(root, 'tools/test/jest.config.mjs')],
    ...args,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`,
    },
  },
);
child.on('exit', (status, signal) => {
  process.exitCode = signal === null ? status : 1;
});
