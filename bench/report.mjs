// Writes docs/reference/benchmarks.md and its pictures from a file of `all`.
//
//   npm run bench -- report [FILE] [--check]
//
// FILE is by default the one in bench/results, and is copied there. With --check nothing is written: the run ends with
// status 1 when the page or a picture differs from what would be.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as prettier from 'prettier';
import { chartOf } from './report/chart.mjs';
import { byGroup, pageOf, pictureName } from './report/page.mjs';

/** @import { Report } from './all/summary.mjs' */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const RESULTS = join(ROOT, 'bench/results/benchmarks.json');
const PAGE = join(ROOT, 'docs/reference/benchmarks.md');
const IMAGES = join(ROOT, 'docs/images');

/**
 * @param {string} text
 * @param {string} path
 */
async function formatted(text, path) {
  const options = await prettier.resolveConfig(path);
  return prettier.format(text, { ...options, filepath: path });
}

/**
 * Returns the files that belong to figures, by their path.
 *
 * @param {string} text of a file of `all`
 */
async function filesOf(text) {
  /** @type {Report} */
  const report = JSON.parse(text);
  const files = new Map([
    [RESULTS, await formatted(text, RESULTS)],
    [PAGE, await formatted(pageOf(report), PAGE)],
  ]);
  for (const [group, figures] of byGroup(report.figures))
    files.set(join(IMAGES, pictureName(group)), chartOf(figures));
  return files;
}

/**
 * Returns the pictures of earlier reports that no group has any more.
 *
 * @param {ReadonlyMap<string, string>} files
 */
function leftOver(files) {
  return readdirSync(IMAGES)
    .filter((name) => name.startsWith('benchmark-'))
    .map((name) => join(IMAGES, name))
    .filter((path) => !files.has(path));
}

/** @param {string[]} args */
export async function report(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { check: { type: 'boolean', default: false } },
  });
  const files = await filesOf(readFileSync(positionals[0] ?? RESULTS, 'utf8'));
  if (values.check) {
    const stale = [...files]
      .filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
      .map(([path]) => path);
    const wrong = [...stale, ...leftOver(files)];
    if (wrong.length > 0)
      throw new Error(`not made of ${RESULTS}: ${wrong.join(', ')}; run npm run bench -- report`);
    return;
  }
  mkdirSync(join(RESULTS, '..'), { recursive: true });
  for (const path of leftOver(files)) rmSync(path);
  for (const [path, text] of files) writeFileSync(path, text);
  console.log(`${files.size} files written`);
}
