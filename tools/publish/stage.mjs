// Copies a package to the folder that is published: compiled files, data, README and LICENSE, without sources, tests, source
// maps and everything else that only this workspace uses.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { publishedDeclaration, publishedScript, readDeclarations } from './declarations.mjs';
import { isJoined, joinModules } from './join-modules.mjs';
import { publishedManifest } from './manifest.mjs';
import { OUTPUT, ROOT, shortName } from './packages.mjs';

/** Files below `dist` that no user of a package reads. */
const NOT_PUBLISHED =
  /\.map$|\.tsbuildinfo$|(^|[/-])testing(-wasm)?\.(wasm|js|d\.ts)$|(^|\/)testing\//;

/** Compiled files that other steps of the build make. */
const GENERATED = /^dist\/(assembly|page)\//;

/** Returns whether a compiled file is left from a source that was removed. */
function isLeftOver(folder, path) {
  const module = /^dist\/(.*?)(\.d)?\.[jt]s$/.exec(path)?.[1];
  if (module === undefined || GENERATED.test(path)) return false;
  return !['ts', 'tsx'].some((extension) =>
    existsSync(join(folder, 'src', `${module}.${extension}`)),
  );
}

/** Returns whether a file has the bytes of a script beside it, and no user of the package can read it. */
const isInScript = ({ exports }, path) =>
  /^dist\/assembly\/.*\.wasm$/.test(path) && !JSON.stringify(exports).includes(path);

/** Returns the folder that a package is published from. */
const stagedFolder = (name) => join(OUTPUT, 'packages', name);

/** Writes a file, with the folders above it. */
function write(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function copy(source, target) {
  if (source.endsWith('.d.ts')) write(target, publishedDeclaration(readFileSync(source, 'utf8')));
  else if (source.endsWith('.js')) write(target, publishedScript(readFileSync(source, 'utf8')));
  else write(target, readFileSync(source));
}

/** Stages a package of `publishedPackages()` and returns the folder. Throws Error when the package is not built. */
export function stage({ name, folder, manifest }) {
  if (!['index.js', 'index.d.ts'].every((file) => existsSync(join(folder, 'dist', file)))) {
    throw new Error(`${name} is not built: run npm run build`);
  }
  const target = stagedFolder(name);
  const joined = isJoined(shortName(name));
  const declarations = readDeclarations({ folder, manifest });
  rmSync(target, { recursive: true, force: true });
  for (const published of manifest.files.filter((each) => !each.startsWith('!'))) {
    const source = join(folder, published);
    for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
      if (NOT_PUBLISHED.test(path) || isLeftOver(folder, path) || isInScript(manifest, path))
        continue;
      if (joined && path.endsWith('.js')) continue;
      if (path.endsWith('.d.ts') && !declarations.has(path)) continue;
      copy(join(folder, path), join(target, path));
    }
  }
  if (joined) joinModules({ folder, target, manifest });
  copyFileSync(join(ROOT, 'LICENSE'), join(target, 'LICENSE'));
  copyFileSync(join(folder, 'README.md'), join(target, 'README.md'));
  const json = publishedManifest({ name, folder, manifest });
  write(join(target, 'package.json'), `${JSON.stringify(json, null, 2)}\n`);
  return target;
}
