// The pages of the documentation site that show the programs of examples/: a page for each program, and one for each folder of them.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { ROOT } from '../markdown.mjs';
import { RECIPES } from './playground.mjs';

const FOLDER = 'examples';
const LANGUAGES = { '.mjs': 'js', '.html': 'html' };
const isProgram = (name) => LANGUAGES[extname(name)] !== undefined;

/** Returns a link to what runs a program or a page on the site. */
function tryIt(name, files) {
  if (RECIPES.includes(name))
    return [`[Run it in the playground](../guides/playground.md#${name}).`, ''];
  if (!files.some((file) => file.endsWith('/index.html'))) return [];
  return [`<a href="../pages/${name}/index.html" target="_blank">Open the page</a>.`, ''];
}

/** Returns the text of a page that shows files, given as paths from the root. */
function pageOf(name, files) {
  const parts = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8').trimEnd();
    const heading = files.length > 1 ? [`## ${file.slice(FOLDER.length + 1)}`, ''] : [];
    return [...heading, `\`\`\`${LANGUAGES[extname(file)]}`, text, '```', ''];
  });
  return [`# examples/${name}`, '', ...tryIt(name, files), ...parts].join('\n');
}

/** Returns the pages as { path, files, text }: the path on the site without extension, and the files that are shown there. */
export function programPages() {
  const entries = readdirSync(join(ROOT, FOLDER), { withFileTypes: true });
  const pages = entries.flatMap((entry) => {
    const { name } = entry;
    const path = `${FOLDER}/${name}`;
    if (!entry.isDirectory())
      return isProgram(name) ? [{ name: name.slice(0, -extname(name).length), files: [path] }] : [];
    const files = readdirSync(join(ROOT, path)).filter(isProgram);
    return [{ name, files: files.map((file) => `${path}/${file}`) }];
  });
  return pages.map(({ name, files }) => ({
    path: `${FOLDER}/${name}`,
    files,
    text: pageOf(name, files),
  }));
}
