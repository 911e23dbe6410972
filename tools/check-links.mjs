// Checks the Markdown files without the network: every relative link and anchor leads somewhere, every path
// in a code span exists (`packages/rpc/src/<name>.ts` needs one match), and every `npm run` script is defined. Every page of docs/ is
// in the index docs/README.md and at most two links away from README.md, and every other Markdown file can be reached from there.
//
//   node tools/check-links.mjs
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { INDEX, readContents } from './docs/contents.mjs';
import { anchorsOf, markdownFiles, proseOf, report, ROOT } from './markdown.mjs';

const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;
/** Names old places on purpose. */
const HISTORY = 'CHANGELOG.md';
const FROM_ROOT = /^(packages|apps|bench|tools|docs|examples|\.ci|\.github)\/[^\s*:()]*$/;
/** In the README of a package; `src/x.cpp` names a file of monerod. */
const FROM_PACKAGE = /^(src|fixtures|examples)\/[^\s*:()]*$/;
const MONEROD_FILE = /\.(cpp|cc|c|h|inl)$/;
/** Made by a build, so absent from a fresh clone. */
const BUILT = /(^|\/)(dist|build|out-tsc|node_modules)(\/|$)/;

/** Found by those who look at the files beside them, and by programs. */
const NOT_LINKED = /^(deploy\/start9\/instructions\.md|packages\/[^/]+\/fixtures\/)/;
const START = 'README.md';

function checkLink(file, target) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const [path, anchor] = target.split('#');
  const place = path === '' ? file : normalize(join(dirname(file), decodeURI(path)));
  if (place.startsWith('..')) return 'leads out of the repository';
  if (!existsSync(join(ROOT, place))) return 'does not exist';
  if (anchor === undefined || !place.endsWith('.md')) return undefined;
  return anchorsOf(place).has(anchor) ? undefined : `has no heading for #${anchor}`;
}

/** Whether a path written in a code span exists, seen from the root or from a folder above the file. */
function pathExists(file, text) {
  const bases = [ROOT];
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    bases.push(join(ROOT, folder));
  }
  return bases.some((base) => matches(base, text.replace(/\/$/, '').split('/')));
}

/** Whether a file lies below `folder` at these path segments, in which `<name>` fits any name. */
function matches(folder, [segment, ...rest]) {
  if (segment === undefined) return existsSync(folder);
  if (!segment.includes('<')) return matches(join(folder, segment), rest);
  if (!existsSync(folder)) return false;
  const [before, after] = [segment.replace(/<.*/, ''), segment.replace(/.*>/, '')];
  return readdirSync(folder)
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .some((name) => matches(join(folder, name), rest));
}

function checkCode(file, text) {
  const script = /^npm run (?:-s )?([a-z0-9:][a-z0-9:-]*)/.exec(text)?.[1];
  if (script !== undefined && !(script in scripts)) return `no script "${script}" in package.json`;
  const path = /^(?:node |bash )?(\S+)/.exec(text)?.[1] ?? '';
  if (file === HISTORY || BUILT.test(path) || MONEROD_FILE.test(path)) return undefined;
  const isInPackage = /^(packages|apps)\//.test(file) && FROM_PACKAGE.test(path);
  if (!isInPackage && !FROM_ROOT.test(path)) return undefined;
  return pathExists(file, path) ? undefined : 'does not exist';
}

/** Returns the Markdown file that a relative link leads to; a folder leads to its README. Undefined for other targets. */
function pageBehind(file, target) {
  if (/^[a-z][a-z0-9+.-]*:|^#/i.test(target)) return undefined;
  const place = normalize(join(dirname(file), decodeURI(target.split('#')[0]))).replace(/\/$/, '');
  return [place, `${place}/README.md`].find((each) => links.has(each));
}

/** Returns how many links are between README.md and each page that can be reached from it. */
function distances() {
  const found = new Map([[START, 0]]);
  for (const [file, distance] of found)
    for (const target of links.get(file)) {
      const page = pageBehind(file, target);
      if (page !== undefined && !found.has(page)) found.set(page, distance + 1);
    }
  return found;
}

function checkReach() {
  const listed = new Set(readContents().flatMap(({ entries }) => entries.map(({ file }) => file)));
  const reached = distances();
  for (const file of links.keys()) {
    const isPage = file.startsWith('docs/');
    if (NOT_LINKED.test(file)) continue;
    if (!reached.has(file)) problems.push(`${file}: no way leads here from ${START}`);
    else if (isPage && reached.get(file) > 2)
      problems.push(
        `${file}: ${reached.get(file)} links away from ${START}, at most 2 are allowed`,
      );
    if (isPage && file !== INDEX && !listed.has(file)) problems.push(`${file}: not in ${INDEX}`);
  }
}

const problems = [];
/** The targets of the links of each Markdown file. */
const links = new Map();
let count = 0;
for (const file of markdownFiles()) {
  links.set(file, []);
  const prose = proseOf(file);
  const add = (index, text, problem) => {
    count++;
    const line = prose.slice(0, index).split('\n').length;
    if (problem !== undefined) problems.push(`${file}:${line}: ${text}: ${problem}`);
  };
  const withoutCode = prose.replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
  for (const link of withoutCode.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s+(\S+)/gm)) {
    const target = link[1] ?? link[2];
    links.get(file).push(target);
    add(link.index, target, checkLink(file, target));
  }
  for (const { 1: code, index } of prose.matchAll(/`([^`\n]+)`/g)) {
    add(index, code, checkCode(file, code));
  }
}
checkReach();
report(problems, `${count} links and code spans checked`);
