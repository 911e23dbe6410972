// Finds commands that would make npm fetch a package that nobody has vouched for: `npx NAME`, `npm exec NAME`, `npm install NAME` and
// the like. A name is good when the lockfile installs it from others, so that npx finds its program here. Names of ours are not
// published: they may be installed only where the text links to the section of docs/guides/install.md that says how.
//
//   node tools/check-commands.mjs [FILE]...
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { report, ROOT } from './markdown.mjs';

/** Runs a program of a package, after downloading it if it is not there. */
const RUNS =
  /\b(?:npx|npm (?:exec|x|create|init)|bunx|pnpm dlx|yarn dlx)((?: +-[\w=-]+)*) +(?:-- +)?([@\w][\w@./-]*)/g;
const INSTALLS = /\bnpm (?:i|install|add|ci)((?: +(?:-[\w=-]+|[@\w./-]+))+)/g;
const OURS = /^@monero-node\//;
const HOW_TO_INSTALL = 'install.md#before-the-packages-are-published';
/** Say what not to type, or are not commands. */
const EXEMPT = new Set(['tools/check-commands.mjs', 'docs/guides/install.md']);
const BINARY = /\.(png|jpe?g|gif|ico|wasm|bin|dat|gz|svg|woff2?)$/;

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const foreign = Object.entries(packages).filter(
  ([path, { link }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !link,
);
const names = new Set(foreign.map(([path]) => path.slice('node_modules/'.length)));
const programs = new Set(
  foreign.flatMap(([path, { bin = {} }]) =>
    typeof bin === 'string' ? [path.split('/').at(-1)] : Object.keys(bin),
  ),
);
const withoutVersion = (name) => name.replace(/(?<=.)@[^/]*$/, '');

function* wrongIn(text) {
  for (const { 0: command, 2: name, index } of text.matchAll(RUNS)) {
    if (!programs.has(withoutVersion(name))) yield { command, index };
  }
  for (const { 0: command, 1: words, index } of text.matchAll(INSTALLS)) {
    const wanted = words
      .trim()
      .split(/ +/)
      .filter((word) => /^(@[\w-]+\/)?[a-z][\w.-]*(@.+)?$/.test(word));
    const good = (name) => names.has(name) || (OURS.test(name) && text.includes(HOW_TO_INSTALL));
    if (!wanted.map(withoutVersion).every(good)) yield { command, index };
  }
}

const given = process.argv.slice(2);
const files =
  given.length > 0
    ? given
    : execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
        cwd: ROOT,
        encoding: 'utf8',
      })
        .split('\n')
        .filter(
          (file) =>
            file !== '' &&
            !EXEMPT.has(file) &&
            !BINARY.test(file) &&
            !file.endsWith('package-lock.json'),
        );
const problems = files.flatMap((file) => {
  let text;
  try {
    text = readFileSync(given.length > 0 ? file : join(ROOT, file), 'utf8');
  } catch {
    return []; // removed, or a link to a folder
  }
  return [...wrongIn(text)].map(
    ({ command, index }) =>
      `${file}:${text.slice(0, index).split('\n').length}: "${command}" may fetch a package that nobody here owns`,
  );
});
report(problems, `${files.length} files name no command that fetches a foreign package`);
