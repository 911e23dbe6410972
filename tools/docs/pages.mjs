// The pages of the documentation site: which file of the repository becomes which page, and in what order. docs/README.md decides.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../markdown.mjs';
import { publishedPackages, shortName } from '../publish/packages.mjs';
import { INDEX, readContents } from './contents.mjs';

/** Returns the path of a page on the site, without extension. */
function pathOf(file) {
  if (file === 'README.md') return 'overview';
  if (file === INDEX) return 'contents';
  return file
    .replace(/^docs\//, '')
    .replace(/^(packages|apps)\/([^/]+)\/README\.md$/, 'packages/$2/index')
    .replace(/\/README\.md$/, '')
    .replace(/\.md$/, '')
    .replace(/^[A-Z_]+$/, (name) => name.toLowerCase());
}

/** Returns the first heading of a file, without marks. Throws Error when it has none. */
function headingOf(file) {
  const heading = /^# +(.+)$/m.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1];
  if (heading === undefined) throw new Error(`${file} has no heading`);
  return heading.replaceAll('`', '');
}

const pageOf = (file, title = headingOf(file), anchor = '') => ({
  file,
  path: pathOf(file),
  title,
  anchor,
});

/** Returns the page that is the index itself. */
export const indexPage = () => pageOf(INDEX, 'All pages');

/** Returns the sections of the sidebar as { title, pages }; a page is { file, path, title, anchor }. Throws Error as `readContents` does. */
export function sections() {
  return readContents().map(({ title, entries }) => ({
    title,
    pages: entries.map((entry) => pageOf(entry.file, entry.title, entry.anchor)),
  }));
}

/** Returns the packages, sorted by name, as { name, short, folder, description, entries, page }. */
export function packages() {
  return publishedPackages()
    .map(({ name, folder, manifest }) => ({
      name,
      short: shortName(name),
      description: manifest.description,
      entries: entriesOf(name, folder, manifest),
      page: pageOf(`${folder.slice(ROOT.length + 1)}/README.md`),
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns what programs may import from a package and has types, as { specifier, file }: the source, from the root. */
function entriesOf(name, folder, manifest) {
  return Object.entries(manifest.exports ?? {})
    .filter(([, target]) => target.types !== undefined)
    .map(([path, target]) => ({
      specifier: name + path.slice(1),
      file: join(folder, target['@monero-node/source']),
    }));
}

/** Returns the files that pages show: images of docs/. */
export function images() {
  const folder = join(ROOT, 'docs/images');
  return existsSync(folder) ? readdirSync(folder).map((name) => `docs/images/${name}`) : [];
}
