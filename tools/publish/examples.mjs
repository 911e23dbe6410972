// Uses all packages in one project where they are installed: runs the programs of examples/ and the examples of READMEs and docstrings,
// and bundles a page.
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkBundlers } from './bundlers.mjs';
import { ROOT } from './packages.mjs';
import { createProject } from './project.mjs';
import { run } from './run.mjs';
import { ALL_COMPILATIONS, checkTypes } from './types.mjs';

/** Of others: what the shop among the examples needs, and what runs the tests there. */
const OTHERS = ['express@5', 'jest@30', 'vitest@4'];

const EXAMPLES_MS = 600_000;

/** The programs and the files that they read. */
const FILES = [
  'examples',
  'packages/crypto/fixtures/regtest-transactions.json',
  'packages/consensus/fixtures/mainnet.json.gz',
  'packages/fcmp/fixtures/recorded.json.gz',
  'packages/wallet-primitives/fixtures/wallet.json',
];

/** Runs all examples in a project. Returns the problems, as lines. */
async function runAll(folder, { node, name, runtimes }) {
  const program = join(dirname(import.meta.dirname), 'run-examples.mjs');
  const args = [program, '--project', folder, ...(runtimes ? ['--runtimes'] : [])];
  const start = performance.now();
  const { ok, output } = await run(node, args, { limitMs: EXAMPLES_MS });
  if (runtimes) console.log(output);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`examples, ${name}: ${output.match(/\d+ examples, \d+ failed/)?.[0]}, ${seconds} s`);
  return ok ? [] : [`the examples fail with installed packages, ${name}\n${output}`];
}

/**
 * Installs all packages, among them the daemon, and what the examples need. Runs all examples, and bundles a page. Returns the problems,
 * as lines.
 *
 * @param names of the packages
 * @param options.nodes other versions of Node that run the examples too, as `installNodes` returns them
 * @param options.runtimes whether Deno and Bun run some of them too
 * @param options.all whether to try all versions of TypeScript and older bundlers too
 */
export async function checkTogether(parent, registry, names, { nodes, runtimes, all }) {
  const folder = await createProject(parent, registry, [...names, ...OTHERS]);
  for (const file of FILES) {
    cpSync(join(ROOT, file), join(folder, file), { recursive: true, dereference: true });
  }
  const problems = [
    ...(all ? await checkTypes(folder, names, ALL_COMPILATIONS) : []),
    ...(await checkBundlers(folder, { all })),
  ];
  const own = { name: `Node ${process.versions.node}`, program: process.execPath };
  for (const { name, program } of [own, ...nodes]) {
    const isOwn = program === own.program;
    problems.push(...(await runAll(folder, { node: program, name, runtimes: runtimes && isOwn })));
  }
  return problems;
}
