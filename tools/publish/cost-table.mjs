// The page with what each package costs, which tools/generate-package-table.mjs writes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, shortName } from './packages.mjs';

/** The page. */
export const COST_TABLE = join(ROOT, 'docs/reference/package-costs.md');

const BEGIN = '<!-- table: tools/generate-package-table.mjs -->';
const END = '<!-- end of the table -->';

/** Returns the offsets in the page's text after the mark that begins the table, and before the one that ends it. Throws Error without them. */
export function tableMarks(text) {
  const [begin, after] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || after < begin) throw new Error(`${COST_TABLE} has no place for the table`);
  return { before: begin + BEGIN.length, after };
}

/**
 * Returns the problems of the page, as lines: packages without a row, and rows without a package. Figures are not compared, as npm
 * installs the newest versions of what other people publish.
 */
export function checkCostTable(names) {
  const text = readFileSync(COST_TABLE, 'utf8');
  const { before, after } = tableMarks(text);
  const rows = [...text.slice(before, after).matchAll(/^\| ([a-z0-9-]+) +\| +[\d,]+ /gm)];
  const [listed, wanted] = [rows.map(([, name]) => name), names.map(shortName)];
  const wrong = [
    ...wanted.filter((name) => !listed.includes(name)).map((name) => `no row for ${name}`),
    ...listed.filter((name) => !wanted.includes(name)).map((name) => `a row for ${name}`),
  ];
  return wrong.map((line) => `docs/reference/package-costs.md has ${line}`);
}
