// The pages of the documentation site: which file of the repository becomes which page, and in what order.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownFiles, ROOT } from '../markdown.mjs';
import { publishedPackages, shortName } from '../publish/packages.mjs';

/** The sections of the sidebar. A page of docs/ that is in no section goes to the last one. */
const SECTIONS = [
  {
    title: 'Guides',
    files: ['run-a-node', 'embed', 'test-with-devnet', 'mine', 'operate'].map(
      (name) => `docs/guides/${name}.md`,
    ),
  },
  {
    title: 'Operating',
    files: [
      ...['operating', 'service', 'mainnet', 'console', 'page', 'monitoring', 'events'],
      ...['data', 'pruning', 'fleet', 'scale'],
      ...['libp2p', 'hard-forks', 'options', 'first-hour'],
    ].map((name) => `docs/${name}.md`),
  },
  {
    title: 'Reference',
    files: [
      'docs/reference/rpc.md',
      'docs/reference/rpc-differences.md',
      'docs/reference/devnet.md',
      'docs/reference/platforms.md',
      'docs/reference/benchmarks.md',
      'examples/README.md',
      'CHANGELOG.md',
    ],
  },
  {
    title: 'Inside',
    files: [
      'README.md',
      'ARCHITECTURE.md',
      ...['fork-rules', 'oddities', 'proof-of-work', 'crypto', 'rpc-speed'].map(
        (name) => `docs/${name}.md`,
      ),
      ...['hostile', 'hostile-peers', 'full-pool', 'fuzzing', 'publishing'].map(
        (name) => `docs/${name}.md`,
      ),
      'CONTRIBUTING.md',
      'SECURITY.md',
      'apps/daemon-e2e/README.md',
    ],
  },
];

/** Pages whose heading is too long, or is the name of the project. */
const SHORT_TITLES = {
  'README.md': 'Overview',
  'apps/daemon-e2e/README.md': 'End-to-end tests',
  'docs/reference/private-forks.md': 'Private forks',
};

/** Returns the path of a page on the site, without extension. */
function pathOf(file) {
  if (file === 'README.md') return 'overview';
  return file
    .replace(/^docs\//, '')
    .replace(/^(packages|apps)\/([^/]+)\/README\.md$/, 'packages/$2/index')
    .replace(/\/README\.md$/, '')
    .replace(/\.md$/, '')
    .replace(/^[A-Z]+$/, (name) => name.toLowerCase());
}

/** Returns the first heading of a file, without marks. Throws Error when it has none. */
function headingOf(file) {
  const heading = /^# +(.+)$/m.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1];
  if (heading === undefined) throw new Error(`${file} has no heading`);
  return heading.replaceAll('`', '');
}

const pageOf = (file) => ({
  file,
  path: pathOf(file),
  title: SHORT_TITLES[file] ?? headingOf(file),
});

/** Returns the sections of the sidebar as { title, pages }; a page is { file, path, title }. */
export function sections() {
  const named = new Set(SECTIONS.flatMap(({ files }) => files));
  const others = markdownFiles().filter((file) => file.startsWith('docs/') && !named.has(file));
  return SECTIONS.map(({ title, files }, i) => ({
    title,
    pages: [...files, ...(i === SECTIONS.length - 1 ? others : [])].map(pageOf),
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
