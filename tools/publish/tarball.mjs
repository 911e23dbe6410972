// Packs staged folders.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUT, publishedPackages, SCOPE } from './packages.mjs';
import { stagePrebuilt } from './prebuilt.mjs';
import { stage } from './stage.mjs';

/** The folder of the tarballs. */
const TARBALLS = join(OUTPUT, 'tarballs');

/** Packs a folder and returns { name, version, filename, size, unpackedSize, integrity, shasum, files } as npm prints it. */
function pack(folder) {
  mkdirSync(TARBALLS, { recursive: true });
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', TARBALLS, folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: OUTPUT,
  });
  const [packed] = Object.values(JSON.parse(output));
  return { ...packed, folder, file: join(TARBALLS, packed.filename) };
}

/** Stages and packs every package, and the addons compiled so far. Throws Error when a package is not built. */
export function packAll() {
  rmSync(TARBALLS, { recursive: true, force: true });
  return [...publishedPackages().map(stage), ...stagePrebuilt()].map(pack);
}

/**
 * Stages and packs some packages, named without the scope, and those that they depend on, without addons. Throws Error for a
 * name that no package has, and when a package is not built.
 */
export function packSome(names) {
  const all = publishedPackages();
  const needed = new Set();
  const add = (name) => {
    const found = all.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no package is named ${name}`);
    needed.add(found);
    for (const dependency of Object.keys(found.manifest.dependencies ?? {})) {
      if (dependency.startsWith(SCOPE)) add(dependency);
    }
  };
  for (const name of names) add(SCOPE + name);
  return [...needed].map(stage).map(pack);
}
