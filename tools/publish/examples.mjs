// Runs the programs of examples/ in a project with installed packages.
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, SCOPE } from './packages.mjs';
import { createProject } from './project.mjs';
import { run } from './run.mjs';

const NEEDED = ['codec', 'consensus', 'crypto', 'p2p', 'pow', 'rpc-client', 'daemon', 'devnet'];
/** Of others: they run the tests among the examples. */
const TEST_RUNNERS = ['jest@30', 'vitest@4'];
/** The programs and the file that they read. */
const FILES = ['examples', 'packages/crypto/fixtures/regtest-transactions.json'];

/** Installs the packages and the daemon and runs all examples against it. Returns the problems, as lines. */
export async function runExamples(parent, registry) {
  const names = [...NEEDED.map((name) => SCOPE + name), ...TEST_RUNNERS];
  const folder = await createProject(parent, registry, names);
  for (const file of FILES) {
    cpSync(join(ROOT, file), join(folder, file), { recursive: true, dereference: true });
  }
  const program = join(dirname(import.meta.dirname), 'run-examples.mjs');
  const { ok, output } = await run(process.execPath, [program, '--project', folder]);
  return ok ? [] : [`the examples fail with installed packages\n${output}`];
}
