// Reading of the repository's Markdown files, for tools/check-links.mjs, tools/check-architecture.mjs and the documentation site.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const SKIPPED = new Set(['node_modules', 'dist', 'out-tsc', 'build', 'tmp']);

/** Returns the paths of all Markdown files below the repository's root, relative to it. */
export function markdownFiles(folder = ROOT) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return SKIPPED.has(entry.name) || entry.name.startsWith('.') ? [] : markdownFiles(path);
    }
    return entry.name.endsWith('.md') ? [relative(ROOT, path)] : [];
  });
}

/** Returns the text of a file without its fenced code blocks; line breaks are kept, so that line numbers stay correct. */
export function proseOf(path) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2 *$/gm, (block) => block.replace(/[^\n]/g, ''));
}

/** Returns the anchor that GitHub creates for a heading, apart from the number that it adds to repeated ones. */
export function slugOf(title) {
  return title
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** Returns the anchors that GitHub creates for the headings of a file. */
export function anchorsOf(path) {
  const counts = new Map();
  const headings = proseOf(path).matchAll(/^#{1,6} +(.*?) *#*$/gm);
  return new Set(
    [...headings].map(([, title]) => {
      const slug = slugOf(title);
      const count = counts.get(slug) ?? 0;
      counts.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

/** Prints the problems found and sets the exit status; prints `summary` when there are none. */
export function report(problems, summary) {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(summary);
}
