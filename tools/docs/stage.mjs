// Fills the folder that VitePress reads.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../markdown.mjs';
import { writeApi } from './api.mjs';
import { NAVIGATION, SOURCE } from './folders.mjs';
import { repositoryUrl, siteLinks } from './links.mjs';
import { images, indexPage, packages, sections } from './pages.mjs';
import { writePlayground } from './playground.mjs';
import { programPages } from './programs.mjs';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');

function write(path, text) {
  const file = join(SOURCE, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function copy(path, target) {
  const file = join(SOURCE, target);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(join(ROOT, path), file);
}

/** Writes a page and its twin: the same Markdown, served unchanged below the address of the page with `.md`. */
function writePage(path, text) {
  write(path, text);
  write(join('public', path), text);
}

/** Copies pages and images of the repository and writes those of its programs, with links as the site needs them. */
function copyPages(pages) {
  const paths = new Map(pages.map(({ file, path }) => [file, `${path}.md`]));
  for (const file of images()) paths.set(file, file.replace(/^docs\//, ''));
  const programs = programPages();
  for (const { path, files } of programs) {
    for (const file of files) paths.set(file, `${path}.md`);
  }
  for (const { path, text } of programs) writePage(`${path}.md`, text);
  for (const { file } of pages) writePage(paths.get(file), siteLinks(read(file), file, paths));
  for (const file of images()) {
    copy(file, paths.get(file));
    // VitePress gives the images of its pages other names; twins name them as they are here.
    copy(file, join('public', paths.get(file)));
  }
}

/** Headings that TypeDoc repeats in every entry: as headings they would fill the search. Links lead to none of them. */
const REPEATED =
  /^#{4,6} ((?:Type )?Parameters|Returns|Throws|Properties|Accessors|Methods|Constructors|(?:Get|Call) Signature|Extends|Extended by|Implements|Implementation of|Inherited from|Overrides|Type (?:Declaration|Literal)|Union Members)(?: \{#.*\})?$/gm;

/** Puts a title over the API of an entry, with the names of the entries that export parts of it. */
function finishApi({ specifier, path, parts }) {
  const file = join(SOURCE, `${path}.md`);
  const names = parts.map((part) => `\`${part}\``).join(', ');
  const note = parts.length === 0 ? '' : `Parts of it can be imported on their own: ${names}.\n\n`;
  const body = readFileSync(file, 'utf8').replace(REPEATED, '**$1**');
  const text = `# ${specifier}\n\n${note}${body}`;
  write(`${path}.md`, `---\npageClass: api\n---\n\n${text}`);
  write(`public/${path}.md`, text);
}

/** Returns the list of all pages for programs that read: https://llmstxt.org. */
function llmsText(parts, all, api) {
  const item = ({ title, path }) => `- [${title}](${path}.md)`;
  const ofPackage = ({ name, short, page, description }) => [
    `- [${short}](${page.path}.md): ${description}`,
    ...api.get(name).map(({ specifier, path }) => `- [API of ${specifier}](${path}.md)`),
  ];
  return [
    '# monero-node',
    '',
    '> A Monero full node in TypeScript, and the packages that it consists of.',
    ...parts.flatMap(({ title, pages }) => ['', `## ${title}`, '', ...pages.map(item)]),
    ...['', '## Packages', '', ...all.flatMap(ofPackage), ''],
  ].join('\n');
}

/** Returns the page that lists the packages. */
function packageList(all) {
  const rows = all.map(
    ({ name, short, description }) => `| [${name}](./${short}/index.md) | ${description} |`,
  );
  return ['# Packages', '', '| Package | Contents |', '| --- | --- |', ...rows, ''].join('\n');
}

const link = (path) => `/${path.replace(/(^|\/)index$/, '$1')}`;

/** Returns the two sidebars: of the guides and manuals, and of the packages. */
function navigation(parts, all, api) {
  const item = ({ title, path, anchor }) => ({ text: title, link: link(path) + anchor });
  const apiItem = ({ specifier, path }) => ({
    text: `API of ${specifier.split('/').slice(1).join('/')}`,
    link: link(path),
  });
  return {
    '/': [
      { text: 'All pages', link: link(indexPage().path) },
      ...parts.map(({ title, pages }) => ({ text: title, items: pages.map(item) })),
    ],
    '/packages/': [
      { text: 'All packages', link: '/packages/' },
      ...all.map(({ name, short, page }) => ({
        text: short,
        collapsed: true,
        items: [{ text: 'Overview', link: link(page.path) }, ...api.get(name).map(apiItem)],
      })),
    ],
  };
}

/** Makes the folder anew: pages of the repository, the API of all packages, the playground, and the sidebars. Throws Error as `writeApi` and `writePlayground` do. */
export async function stageSite() {
  rmSync(SOURCE, { recursive: true, force: true });
  mkdirSync(SOURCE, { recursive: true });
  const all = packages();
  const api = await writeApi(all, SOURCE, `${repositoryUrl()}/blob/main`);
  for (const page of [...api.values()].flat()) finishApi(page);
  const parts = sections();
  const listed = parts.flatMap(({ pages }) => pages);
  copyPages([indexPage(), ...listed, ...all.map(({ page }) => page)]);
  write('index.md', read('docs/.vitepress/home.md'));
  writePlayground(join(SOURCE, 'public'));
  // The front page names its pictures by address, so they are served unchanged.
  for (const scheme of ['light', 'dark'])
    copy(`docs/images/page-${scheme}.png`, `public/page-${scheme}.png`);
  writePage('packages/index.md', packageList(all));
  write('public/llms.txt', llmsText(parts, all, api));
  writeFileSync(NAVIGATION, JSON.stringify(navigation(parts, all, api)));
}
