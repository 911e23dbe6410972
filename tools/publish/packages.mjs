// Finds the packages of this workspace that are published.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const SCOPE = '@monero-node/';
/** Everything that is made for publishing goes below this folder, which git ignores. */
export const OUTPUT = join(ROOT, '.publish');

/** Returns the content of a JSON file. */
export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Returns the name of a package without the scope. */
export const shortName = (name) => name.slice(SCOPE.length);

/** Returns the published packages as { name, folder, manifest }, each after those it depends on. */
export function publishedPackages() {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => join(ROOT, parent, name)),
  );
  const all = folders
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readJson(join(folder, 'package.json')) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map((each) => ({ ...each, name: each.manifest.name }));
  const sorted = new Set();
  const visit = (each) => {
    for (const name of Object.keys(each.manifest.dependencies ?? {})) {
      const needed = all.find((other) => other.name === name);
      if (needed !== undefined && !sorted.has(needed)) visit(needed);
    }
    sorted.add(each);
  };
  for (const each of all) visit(each);
  return [...sorted];
}
