// Runs the programs of examples/, and the examples of READMEs and docstrings, in a project with installed packages.
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './packages.mjs';
import { createProject } from './project.mjs';
import { run } from './run.mjs';

/** Of others: what the shop among the examples needs, and what runs the tests there. */
const OTHERS = ['express@5', 'jest@30', 'vitest@4'];

/** The programs and the files that they read. */
const FILES = [
  'examples',
  'packages/crypto/fixtures/regtest-transactions.json',
  'packages/consensus/fixtures/mainnet.json.gz',
  'packages/fcmp/fixtures/recorded.json.gz',
  'packages/wallet-primitives/fixtures/wallet.json',
];

/**
 * Installs all packages, among them the daemon, and runs all examples with them. Returns the problems, as lines.
 *
 * @param names of the packages
 * @param options.runtimes whether Deno and Bun run some of them too
 */
export async function runExamples(parent, registry, names, { runtimes = false } = {}) {
  const folder = await createProject(parent, registry, [...names, ...OTHERS]);
  for (const file of FILES) {
    cpSync(join(ROOT, file), join(folder, file), { recursive: true, dereference: true });
  }
  const program = join(dirname(import.meta.dirname), 'run-examples.mjs');
  const args = [program, '--project', folder, ...(runtimes ? ['--runtimes'] : [])];
  const { ok, output } = await run(process.execPath, args);
  if (runtimes) console.log(output);
  return ok ? [] : [`the examples fail with installed packages\n${output}`];
}
