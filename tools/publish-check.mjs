// Packs all packages and uses them as a stranger does: docs/internals/publishing.md says what is checked. Build first.
//
//   node tools/publish-check.mjs [--all] [--only NAME,NAME] [--runtimes]
//
// --all tries every version of TypeScript, Node, Vite and webpack, and Deno and Bun; without it, the oldest and the newest TypeScript,
// the Node that runs this, and the newest bundlers. --runtimes runs some examples with Deno and Bun too. --only names packages without
// the scope, and leaves out examples and bundlers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkCostTable } from './publish/cost-table.mjs';
import { checkTogether } from './publish/examples.mjs';
import { lintPackage } from './publish/lint.mjs';
import { checkMissingPackages } from './publish/missing-packages.mjs';
import { shortName } from './publish/packages.mjs';
import { isAddonPackage } from './publish/platforms.mjs';
import { createProject } from './publish/project.mjs';
import { startRegistry } from './publish/registry.mjs';
import { forEachAtOnce } from './publish/run.mjs';
import { installNodes } from './publish/runtimes.mjs';
import {
  BUNDLES,
  bundleSize,
  importTime,
  INSTALL_LIMITS,
  installedSize,
} from './publish/sizes.mjs';
import { packAll } from './publish/tarball.mjs';
import {
  ALL_COMPILATIONS,
  checkTypes,
  FIRST_AND_LAST,
  prepareCompilers,
} from './publish/types.mjs';

const AT_ONCE = 2;
/** Outside of the checkout, whose node_modules would make up for dependencies that a package does not name. */
const PROJECTS = mkdtempSync(join(tmpdir(), 'monero-node-publish-'));

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    only: { type: 'string' },
    runtimes: { type: 'boolean', default: false },
  },
});

/** Returns the problems with the size of bundles, and prints the sizes. */
async function checkBundles(folder, name) {
  const problems = [];
  for (const bundle of BUNDLES.filter(({ needs }) => needs === name)) {
    const bytes = await bundleSize(folder, bundle);
    console.log(`  bundle of ${bundle.name}: ${bytes} bytes (at most ${bundle.bytes})`);
    if (bytes > bundle.bytes) problems.push(`the bundle of ${bundle.name} has ${bytes} bytes`);
  }
  return problems;
}

/** Imports a package with each version of Node. Returns the problems, as lines. */
async function checkNodes(folder, name) {
  const problems = [];
  for (const { name: version, program } of nodes) {
    await importTime(folder, name, { runs: 1, node: program }).catch((error) =>
      problems.push(`${version}: ${error.message}`),
    );
  }
  return problems;
}

/** Installs a package alone, prints what it costs and returns the problems. */
async function checkInstalled(registry, { name }) {
  const limit = INSTALL_LIMITS[name] ?? {};
  const folder = await createProject(PROJECTS, registry, [name]);
  const { packages, bytes } = installedSize(folder);
  const milliseconds = await importTime(folder, name);
  const megabytes = (bytes / 1e6).toFixed(2);
  console.log(`${name}: ${packages} packages, ${megabytes} MB, ${milliseconds.toFixed(0)} ms`);
  const problems = [
    ...(await checkNodes(folder, name)),
    ...(await checkTypes(folder, [name], FIRST_AND_LAST)),
    ...(await checkBundles(folder, name)),
  ];
  if (bytes > (limit.bytes ?? Infinity)) problems.push(`${megabytes} MB are installed`);
  if (packages > (limit.packages ?? Infinity)) problems.push(`${packages} packages are installed`);
  problems.push(...(await checkMissingPackages(folder, name)));
  // Time is printed only: a busy machine is slow, not wrong.
  return problems;
}

const start = Date.now();
const chosen = values.only?.split(',');
const packed = packAll();
const libraries = packed.filter(
  ({ name }) => !isAddonPackage(name) && (chosen?.includes(shortName(name)) ?? true),
);
const nodes = values.all ? await installNodes() : [];
await prepareCompilers(values.all ? ALL_COMPILATIONS : FIRST_AND_LAST);
const registry = await startRegistry(packed);
const problems = [];
try {
  for (const each of packed) {
    problems.push(...(await lintPackage(each)).map((line) => `${each.name}: ${line}`));
  }
  await forEachAtOnce(AT_ONCE, libraries, async (each) => {
    const found = await checkInstalled(registry, each).catch((error) => [error.message]);
    problems.push(...found.map((line) => `${each.name}: ${line}`));
  });
  if (chosen === undefined) {
    const names = libraries.map(({ name }) => name);
    problems.push(...checkCostTable(names));
    const { all, runtimes } = values;
    const options = { all, nodes, runtimes: runtimes || all };
    problems.push(...(await checkTogether(PROJECTS, registry, names, options)));
  }
} finally {
  registry.close();
  rmSync(PROJECTS, { recursive: true, force: true });
}
for (const line of problems) console.error(line);
console.log(
  `${packed.length} packages, ${problems.length} problems, ${Math.round((Date.now() - start) / 1000)} s`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
