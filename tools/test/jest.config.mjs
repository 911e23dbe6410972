// All tests in one run of Jest: starting it for each package would cost more than many of the packages' tests.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import preset from '../../jest.preset.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export default {
  rootDir: root,
  projects: ['packages', 'apps', 'examples'].flatMap((parent) =>
    readdirSync(join(root, parent))
      .map((name) => join(root, parent, name))
      .filter((folder) => existsSync(join(folder, 'jest.config.js'))),
  ),
  reporters: [join(root, 'tools/test/reporter.mjs')],
  // The tests wait more than they compute.
  maxWorkers: '100%',
  // In a run of several projects the one of their own settings does not count.
  testTimeout: preset.testTimeout,
  // The heap of a process grows with every file, as Jest keeps what it has compiled.
  workerIdleMemoryLimit: '1500MB',
  // A test that failed may leave a server behind, which would keep the process for ever.
  forceExit: true,
};
