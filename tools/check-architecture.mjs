// Compares the table of packages in ARCHITECTURE.md with the package.json files: every package of the
// workspace has one row, with the layer of its tag and the packages of this repository it depends on.
//
//   node tools/check-architecture.mjs           # reports differences
//   node tools/check-architecture.mjs --write   # corrects layers and dependencies; rows of new packages
//                                              # are written by hand
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { proseOf, report, ROOT } from './markdown.mjs';

const SCOPE = '@monero-node/';
const NONE = '–';
const FILE = 'ARCHITECTURE.md';
const ROW = /^\| *(\d+|–) \| \[`([^`]+)`\](.*)\| *([^|]*?) *\|$/gm;

/** The packages as their package.json files describe them: folder, layer, dependencies by short name. */
function packagesOnDisk() {
  const folders = [
    ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`),
    ...readdirSync(join(ROOT, 'apps')).map((name) => `apps/${name}`),
    'bench',
  ];
  return folders.flatMap((folder) => {
    const file = join(ROOT, folder, 'package.json');
    if (!existsSync(file)) return [];
    const { nx, dependencies = {} } = JSON.parse(readFileSync(file, 'utf8'));
    const tag = nx.tags.find((name) => name.startsWith('layer:')).slice('layer:'.length);
    const own = Object.keys(dependencies).filter((name) => name.startsWith(SCOPE));
    return {
      folder,
      layer: /^\d+$/.test(tag) ? tag : NONE,
      dependencies: own.map((name) => name.slice(SCOPE.length)).sort(),
    };
  });
}

/** The rows `| layer | [`folder`](folder) | owns | does not own | depends on |`. */
function packagesInTable() {
  return [...proseOf(FILE).matchAll(ROW)].map(([, layer, folder, , list]) => ({
    folder,
    layer,
    dependencies: list === NONE ? [] : list.split(', '),
  }));
}

/** Writes layers and dependencies of the package.json files into the rows of the table. */
function correctTable(packages) {
  const path = join(ROOT, FILE);
  const corrected = readFileSync(path, 'utf8').replace(ROW, (row, layer, folder, middle) => {
    const found = packages.find((each) => each.folder === folder);
    if (found === undefined) return row;
    const list = found.dependencies.join(', ') || NONE;
    return `| ${found.layer} | [\`${folder}\`]${middle}| ${list} |`;
  });
  writeFileSync(path, corrected);
}

const packages = packagesOnDisk();
if (process.argv.includes('--write')) correctTable(packages);
const problems = [];
const table = packagesInTable().filter(({ folder }) => folder !== 'tools');
for (const { folder, layer, dependencies } of packages) {
  const rows = table.filter((row) => row.folder === folder);
  if (rows.length !== 1) problems.push(`${folder}: ${rows.length} rows, one expected`);
  const [row] = rows;
  if (row === undefined) continue;
  const add = (problem) => problems.push(`${folder}: ${problem}`);
  if (row.layer !== layer) add(`the table says layer ${row.layer}, package.json layer ${layer}`);
  const missing = dependencies.filter((name) => !row.dependencies.includes(name));
  const extra = row.dependencies.filter((name) => !dependencies.includes(name));
  if (missing.length > 0) add(`the table lacks the dependencies ${missing.join(', ')}`);
  if (extra.length > 0) add(`package.json has no dependency on ${extra.join(', ')}`);
}
const known = new Set(packages.map(({ folder }) => folder));
for (const { folder } of table) {
  if (!known.has(folder))
    problems.push(`${basename(folder)}: in the table, but there is no ${folder}`);
}
report(
  problems.map((problem) => `${FILE}: ${problem}`),
  `the table of ${FILE} agrees with ${packages.length} package.json files`,
);
