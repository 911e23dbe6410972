// Counts turns of phrase that have to be read twice: node tools/check-prose.mjs [CHECKOUT] [options]
//
//   --list         prints the places
//   --only=PATH    looks only at files whose path contains PATH
//
// Looks at comments, docstrings, messages, help texts, names of tests and Markdown. A legitimate use
// is added to tools/checks/prose-allowed.txt, as the path, a tab and the words.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { proseOf } from './checks/prose.mjs';
import { listFiles, readSource, root } from './checks/source-files.mjs';

/** Words after which "who" is English: persons, and verbs of asking and knowing. */
const BEFORE_WHO = [
  'any(?:one|body) every(?:one|body) some(?:one|body) nobody those all others? each one them people',
  'persons? peers? nodes? clients? operators? users? callers? miners? readers? developers?',
  'maintainers? attackers? owners? senders? receivers? strangers? listeners? and or',
  'decides? deciding knows? determines? learns? sees? limits? restricts? controls? regardless',
]
  .join(' ')
  .split(' ')
  .join('|');

/** Name → what to look for. A summary is the start of a comment. */
const PATTERNS = {
  'who for anyone who': new RegExp(`(?<!\\b(?:${BEFORE_WHO}),? )\\bwho\\b`, 'gi'),
  'X that is none': /\b(?<!there )(?:is|are|was|were) none\b/gi,
  'one a line': /\b(?:one|many) an? (?!single)[a-z]+\b/gi,
  'some 300': /\bsome (?:\d|(?:ten|twenty|thirty|fifty|hundred|thousand|million|dozen)s?\b)/gi,
  tells: /\btell(?:s|ing)\b|\bt(?:ell|old) of\b/gi,
  stands: /\bst(?:ands?|ood|anding)\b(?! for\b)/gi,
  'so many': /\bso (?:many|much|few)\b/gi,
  'as far as': /\bas far as\b/gi,
  'another now': /\banother now\b|\bis another\b(?=\s*(?:[.,;:)]|$))/gi,
  'nothing else': /\bnothing else\b/gi,
  'of old': /\bof old\b(?=\s*(?:[.,;:)]|$))/gi,
  'the one … the other': /\bthe ones?\b[^.;]{1,80}\bthe others?\b/gi,
  'what is there':
    /\bwhat (?:is|was) (?:not )?there\b|\bthat (?:is|are|was|were) (?:not )?there\b/gi,
  'wants a': /\bwants? an?\b/gi,
  'as it is': /\bas (?:it|they) (?:is|are|was|were)\b(?=\s*(?:[.,;:)]|$))/gi,
  'order of chance': /\border of chance\b/gi,
  'gives for returns': /\bgives\b(?! (?:up|back|way|in|away)\b)/gi,
  'such a': /\bsuch an?\b/gi,
  'for nothing': /\bfor nothing\b/gi,
  'are so no longer': /\b(?:is|are|was|were) so\b(?= (?:no longer|for|too)\b|[.,;:])/gi,
  'since 20 s': /\bsince (?:\d+|…) ?(?:s|seconds|minutes|hours)\b/gi,
  metaphor: /\bdoorkeepers?\b|\bdoor-keepers?\b/gi,
  'What … as subject': /(?<=^|[.!] )What (?:[a-z]+ )[^.?!]*(?=[.!]|$)(?!\?)/g,
  'summary: Tells, Gives, Says': /^(?:Tells?|Gives?|Says?)\b/g,
};

const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7) ?? '';
const list = process.argv.includes('--list');

const allowedPath = join(root, 'tools/checks/prose-allowed.txt');
const allowed = existsSync(allowedPath)
  ? readSource('tools/checks/prose-allowed.txt')
      .split('\n')
      .filter((line) => line.includes('\t'))
      .map((line) => line.split('\t'))
  : [];
const used = new Set();

/** Whether an allowed phrase of this file covers the match. */
function isAllowed(path, text, match) {
  return allowed.some(([where, words], i) => {
    for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
      if (path === where && at <= match.index && match.index < at + words.length) {
        used.add(i);
        return true;
      }
    }
    return false;
  });
}

// Texts that are not this project's: the licence, and documents written from other programs' output.
const FOREIGN =
  /^LICENSE|wallet-primitives\/src\/(?:polyseed-)?words\/|^CHANGELOG\.md$|package-lock|^tools\/check|\/allowed-differences/;
const files = ['packages', 'apps', 'tools', 'docs', '.']
  .flatMap((folder) =>
    listFiles(folder, (path) => /\.(md|[cm]?[jt]s|cpp|h|ya?ml|sh)$|^\.ci\/run$/.test(path)),
  )
  .filter((path) => path.includes(only) && !FOREIGN.test(path));

const counts = Object.fromEntries(Object.keys(PATTERNS).map((name) => [name, 0]));
for (const path of new Set(files)) {
  for (const [line, text] of proseOf(path, readSource(path))) {
    for (const [name, pattern] of Object.entries(PATTERNS)) {
      for (const match of text.matchAll(pattern)) {
        if (isAllowed(path, text, match)) continue;
        counts[name] += 1;
        if (!list) continue;
        const context = text.slice(
          Math.max(0, match.index - 40),
          match.index + match[0].length + 40,
        );
        console.log(`${path}:${line}  [${name}]  ${context.replaceAll('\n', ' ')}`);
      }
    }
  }
}

for (const [name, count] of Object.entries(counts))
  console.log(`${String(count).padStart(5)}  ${name}`);
const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
console.log(`${String(total).padStart(5)}  in ${new Set(files).size} files`);
if (total > 0) process.exitCode = 1;
if (only === '') {
  for (const [i, [path, words]] of allowed.entries()) {
    if (used.has(i)) continue;
    console.error(`prose-allowed.txt: not needed: ${path}: ${words}`);
    process.exitCode = 1;
  }
}
