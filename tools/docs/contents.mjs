// The index of the documentation, docs/README.md: the one list of its pages. The sidebar of the site is made from it.
import { dirname, join } from 'node:path';
import { proseOf } from '../markdown.mjs';

export const INDEX = 'docs/README.md';

/** An entry: `- [Title](path): what it is`. */
const ENTRY = /^- \[([^\]]+)\]\(([^)#\s]+)(#[^)\s]+)?\): \S/;

/**
 * Returns the sections of the index in its order, as { title, entries }; an entry is { title, file, anchor }, `file` being a path from
 * the root and `anchor` empty or `#heading`. Throws Error for a list item that is no entry, and for two entries with one title.
 *
 * @param {string} text The index, without code blocks.
 */
export function readContents(text = proseOf(INDEX)) {
  const sections = [];
  const titles = new Set();
  for (const line of text.split('\n')) {
    const heading = /^## +(.+)$/.exec(line)?.[1];
    if (heading !== undefined) sections.push({ title: heading, entries: [] });
    if (!/^\s*[-*] /.test(line)) continue;
    const [, title, target, anchor = ''] = ENTRY.exec(line) ?? [];
    if (title === undefined || sections.length === 0)
      throw new Error(`${INDEX}: not "- [Title](page): what it is" below a heading: ${line}`);
    if (titles.has(title)) throw new Error(`${INDEX}: two entries are called ${title}`);
    titles.add(title);
    sections.at(-1).entries.push({ title, file: join(dirname(INDEX), target), anchor });
  }
  return sections;
}
