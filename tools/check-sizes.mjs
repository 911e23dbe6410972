// Measures the source files: node tools/check-sizes.mjs [CHECKOUT] [--list]
//
// Tests, fixtures and the data files below do not count. --list prints the 20 longest files.
import { isTest, listFiles, readSource } from './checks/source-files.mjs';

const MOST = { median: 70, p90: 170, largest: 400 };

/** Tables and generated code, whose length says nothing about how hard they are to read. */
const DATA = [];

const sizes = ['packages', 'apps']
  .flatMap((folder) => listFiles(folder, (path) => path.endsWith('.ts') && !isTest(path)))
  .filter((path) => !DATA.includes(path))
  .map((path) => ({ path, lines: readSource(path).split('\n').length - 1 }))
  .sort((a, b) => a.lines - b.lines);

const at = (share) => sizes[Math.floor((sizes.length - 1) * share)].lines;
const measured = { median: at(0.5), p90: at(0.9), largest: at(1) };
const total = sizes.reduce((sum, { lines }) => sum + lines, 0);
console.log(`${sizes.length} source files, ${total} lines`);
for (const [name, lines] of Object.entries(measured)) {
  console.log(`${name.padEnd(8)} ${lines} (at most ${MOST[name]})`);
}
if (process.argv.includes('--list')) {
  for (const { path, lines } of sizes.slice(-20).reverse()) console.log(`${lines}  ${path}`);
}
for (const { path, lines } of sizes) {
  if (lines > MOST.largest) console.error(`${path} has ${lines} lines`);
}
if (Object.keys(MOST).some((name) => measured[name] > MOST[name])) process.exitCode = 1;
