// The files of this repository that the checks read.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout to check: the first argument that is not an option, or this checkout. */
const root =
  process.argv.slice(2).find((argument) => !argument.startsWith('-')) ??
  fileURLToPath(new URL('../..', import.meta.url));

const SKIPPED = new Set(['node_modules', 'dist', 'out-tsc', 'coverage', 'build', 'fixtures']);

/** Returns the paths below `folder`, relative to the checkout and with `/`, that `accepts` takes. */
export function listFiles(folder, accepts) {
  const found = [];
  const walk = (at) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (entry.name.startsWith('.') && entry.name !== '.ci') continue;
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) walk(path);
      } else {
        const name = relative(root, path).split(sep).join('/');
        if (accepts(name)) found.push(name);
      }
    }
  };
  walk(join(root, folder));
  return found.sort();
}

/** Returns the text of a file by its path relative to the checkout. */
export function readSource(path) {
  return readFileSync(join(root, path), 'utf8');
}

/** Whether a file holds tests: a spec, a fuzz target or an e2e suite. */
export function isTestSuite(path) {
  return /\.(spec|fuzz|e2e)\.ts$/.test(path);
}

/** Returns the folders of the packages and apps, such as `packages/codec`. */
export function workspaceFolders() {
  return ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${parent}/${entry.name}`),
  );
}
