// Copies the daemon with everything that it needs to run, out of a checkout that is set up. Nothing is downloaded.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** Files that no running program reads. */
export const NOT_NEEDED = /\.(map|[cm]?ts|tsbuildinfo|md|markdown|flow|c|cc|cpp|h|hpp|gyp|wat)$/i;
const isScoped = (name) => name.startsWith('@monero-node/');
const readPackage = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Returns the folder of a package as Node would find it from `folder`; undefined when it is not installed. */
function findPackage(name, folder, root) {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (at === root || at === dirname(at)) return undefined;
  }
}

/**
 * Returns [source, destination below node_modules] of an installed package and all its dependencies, by default the daemon.
 * Packages of this workspace move to node_modules/@monero-node; the others keep their places beside or below the packages that
 * need them.
 *
 * Throws Error when a dependency is not installed.
 */
export function productionPackages(
  root,
  start = { folder: join(root, 'apps/daemon'), place: '@monero-node/daemon' },
) {
  const places = new Map();
  const visit = (folder, place) => {
    if (places.has(folder)) return;
    places.set(folder, place);
    const { dependencies = {}, optionalDependencies = {} } = readPackage(folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = findPackage(name, folder, root);
      if (found === undefined) {
        if (name in optionalDependencies) continue;
        throw new Error(`${name}, which ${place} needs, is not installed: run npm run setup`);
      }
      if (isScoped(name)) visit(join(root, workspaceFolder(name)), name);
      else visit(found, placeOf(found, folder, place, root));
    }
  };
  visit(start.folder, start.place);
  return places;
}

function workspaceFolder(name) {
  const folder = name.slice('@monero-node/'.length);
  return folder === 'daemon' ? 'apps/daemon' : `packages/${folder}`;
}

/** Returns where an installed package goes: nested packages stay below the package that contains them. */
function placeOf(found, needer, needersPlace, root) {
  const top = join(root, 'node_modules') + sep;
  if (found.startsWith(top)) return relative(top, found);
  return join(needersPlace, relative(needer, found));
}

/** Whether a file of a package of this workspace is needed: what it publishes, with native code in its compiled form only. */
function isPublished(path) {
  const [first, second] = path.split(sep);
  if (first === 'native') return second === undefined || second === 'build';
  return path === '' || ['package.json', 'dist', 'data'].includes(first);
}

/** Copies the daemon and its dependencies to `target`/node_modules. Throws Error when something is not installed or built. */
export function copyProductionModules(root, target) {
  if (!existsSync(join(root, 'apps/daemon/dist/main.js'))) {
    throw new Error('the daemon is not built: run npm run setup');
  }
  for (const [folder, place] of productionPackages(root)) {
    const isOurs = isScoped(place) && !place.slice('@monero-node/'.length).includes(sep);
    const destination = join(target, 'node_modules', place);
    mkdirSync(destination, { recursive: true });
    cpSync(folder, destination, {
      recursive: true,
      filter: (source) => {
        const path = relative(folder, source);
        if (path.split(sep)[0] === 'node_modules') return false;
        return !NOT_NEEDED.test(path) && (!isOurs || isPublished(path));
      },
    });
  }
}

/** Returns the paths of all files below a folder, relative to it, sorted. */
export function filesBelow(folder, path = '') {
  return readdirSync(join(folder, path), { withFileTypes: true })
    .flatMap((entry) => {
      const below = join(path, entry.name);
      return entry.isDirectory() ? filesBelow(folder, below) : [below];
    })
    .sort();
}
