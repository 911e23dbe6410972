// Packs all packages and uses them as a stranger does: docs/internals/publishing.md says what is checked. Build first.
//
//   node tools/publish-check.mjs [--all] [--only NAME,NAME] [--runtimes]
//
// --all tries more versions of TypeScript. --runtimes runs some examples with Deno and Bun too. --only names packages without the scope, and leaves out the examples.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runExamples } from './publish/examples.mjs';
import { lintPackage } from './publish/lint.mjs';
import { checkMissingPackages } from './publish/missing-packages.mjs';
import { shortName } from './publish/packages.mjs';
import { createProject } from './publish/project.mjs';
import { startRegistry } from './publish/registry.mjs';
import { forEachAtOnce } from './publish/run.mjs';
import {
  BUNDLES,
  bundleSize,
  importTime,
  INSTALL_LIMITS,
  installedSize,
} from './publish/sizes.mjs';
import { packAll } from './publish/tarball.mjs';
import { compileImports, prepareCompilers, TYPESCRIPT_VERSIONS } from './publish/types.mjs';

const AT_ONCE = 2;
const RESOLUTIONS = ['bundler', 'nodenext'];
/** Outside of the checkout, whose node_modules would make up for dependencies that a package does not name. */
const PROJECTS = mkdtempSync(join(tmpdir(), 'monero-node-publish-'));

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    only: { type: 'string' },
    runtimes: { type: 'boolean', default: false },
  },
});

/** Returns the compilations to try: in CI the oldest TypeScript as bundlers use it, and the newest as Node does. */
function compilations() {
  if (!values.all) {
    return TYPESCRIPT_VERSIONS.slice(0, 2).map((version, i) => ({
      version,
      resolution: RESOLUTIONS[i],
    }));
  }
  return TYPESCRIPT_VERSIONS.flatMap((version) =>
    RESOLUTIONS.map((resolution) => ({ version, resolution })),
  );
}

/** Returns the problems of types, as lines. */
async function checkTypes(folder, name) {
  const problems = [];
  for (const compilation of compilations()) {
    const errors = await compileImports({ folder, name, ...compilation });
    const { version, resolution } = compilation;
    problems.push(...errors.map((line) => `TypeScript ${version}, ${resolution}: ${line}`));
  }
  return problems;
}

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

/** Installs a package alone, prints what it costs and returns the problems. */
async function checkInstalled(registry, { name }) {
  const limit = INSTALL_LIMITS[name] ?? {};
  const folder = await createProject(PROJECTS, registry, [name]);
  const { packages, bytes } = installedSize(folder);
  const milliseconds = await importTime(folder, name);
  const megabytes = (bytes / 1e6).toFixed(2);
  console.log(`${name}: ${packages} packages, ${megabytes} MB, ${milliseconds.toFixed(0)} ms`);
  const problems = [...(await checkTypes(folder, name)), ...(await checkBundles(folder, name))];
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
  ({ name }) => !/-(linux|darwin|win32)-/.test(name) && (chosen?.includes(shortName(name)) ?? true),
);
await prepareCompilers(compilations().map(({ version }) => version));
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
    problems.push(...(await runExamples(PROJECTS, registry, names, values)));
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
