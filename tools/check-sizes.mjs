// Finds source files that are too long: node tools/check-sizes.mjs [CHECKOUT] [--list]
//
// Tests, fixtures and the data files below do not count. --list prints the 20 longest files.
import { isTest, listFiles, readSource } from './checks/source-files.mjs';

const MOST_LINES = 400;

/** Tables and generated code, whose length says nothing about how hard they are to read. */
const DATA = [];

const sizes = ['packages', 'apps']
  .flatMap((folder) => listFiles(folder, (path) => path.endsWith('.ts') && !isTest(path)))
  .filter((path) => !DATA.includes(path))
  .map((path) => ({ path, lines: readSource(path).split('\n').length - 1 }))
  .sort((a, b) => b.lines - a.lines);

if (process.argv.includes('--list')) {
  for (const { path, lines } of sizes.slice(0, 20)) console.log(`${lines}  ${path}`);
}
const tooLong = sizes.filter(({ lines }) => lines > MOST_LINES);
for (const { path, lines } of tooLong) console.error(`${path} has ${lines} lines`);
console.log(
  `${sizes.length} source files, the longest of ${sizes[0].lines} lines (at most ${MOST_LINES})`,
);
if (tooLong.length > 0) process.exitCode = 1;
