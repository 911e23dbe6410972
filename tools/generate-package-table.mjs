// Writes the table of docs/reference/package-costs.md: what each package costs to install and to import. Build first.
//
//   node tools/generate-package-table.mjs
//
// Packs all packages, installs each alone as a stranger does, and measures. Without the addons of tools/build-prebuilt.mjs it refuses,
// as sizes would be too small.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import prettier from 'prettier';
import { COST_TABLE, tableMarks } from './publish/cost-table.mjs';
import { shortName } from './publish/packages.mjs';
import { addonPackagesOf, isAddonPackage } from './publish/platforms.mjs';
import { createProject } from './publish/project.mjs';
import { startRegistry } from './publish/registry.mjs';
import { bytesBelow, importTime, installedSize, loadedScripts } from './publish/sizes.mjs';
import { packAll } from './publish/tarball.mjs';

/** Runs of the import, an odd number: the median counts. */
const RUNS = 9;

const kilobytes = (bytes) => Math.round(bytes / 1000).toLocaleString('en-US');

/** Measures an installed package. Returns a row of the table. */
async function rowOf(projects, registry, name) {
  const folder = await createProject(projects, registry, [name]);
  const { packages, bytes } = installedSize(folder);
  const own = bytesBelow(join(folder, 'node_modules', name));
  const scripts = await loadedScripts(folder, name);
  const milliseconds = await importTime(folder, name, { runs: RUNS });
  const cells = [kilobytes(own), packages, kilobytes(bytes), scripts, milliseconds.toFixed(0)];
  console.log(`${name}: ${cells.join(', ')}`);
  return `| ${shortName(name)} | ${cells.join(' | ')} |`;
}

const packed = packAll();
const missing = addonPackagesOf(process).filter(
  (name) => !packed.some((each) => each.name === name),
);
if (missing.length > 0)
  throw new Error(`${missing.join(', ')} not built: run node tools/build-prebuilt.mjs`);
const names = packed.map(({ name }) => name).filter((name) => !isAddonPackage(name));
const projects = mkdtempSync(join(tmpdir(), 'monero-node-costs-'));
const registry = await startRegistry(packed);
const rows = [];
try {
  for (const name of names.sort()) rows.push(await rowOf(projects, registry, name));
} finally {
  registry.close();
  rmSync(projects, { recursive: true, force: true });
}
const [load] = loadavg();
const day = new Date().toISOString().slice(0, 10);
const [{ model }] = cpus();
const table = `Measured on ${day} with Node ${process.versions.node}, ${process.platform} on ${process.arch}; times on one ${model} with ${cpus().length} processors, under a load of ${load.toFixed(1)}.

| Package | Own kB | Packages | kB in all | Scripts | ms |
| --- | ---: | ---: | ---: | ---: | ---: |
${rows.join('\n')}
`;
const text = readFileSync(COST_TABLE, 'utf8');
const { before, after } = tableMarks(text);
const options = await prettier.resolveConfig(COST_TABLE);
const filled = `${text.slice(0, before)}\n\n${table}\n${text.slice(after)}`;
writeFileSync(COST_TABLE, await prettier.format(filled, { ...options, filepath: COST_TABLE }));
