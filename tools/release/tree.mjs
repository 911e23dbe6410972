// Makes the folder that archives, Debian packages and images share: Node, the scripts, the data and the addons for one processor.
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from '../package/production-modules.mjs';
import { librariesNeeded } from '../publish/needed-libraries.mjs';
import { addons } from '../publish/platforms.mjs';

/** Libraries that every system with glibc has, and those of C++, which Node needs. */
const ALLOWED =
  /^(lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so\.\d|ld-linux-(x86-64|aarch64)\.so\.\d)$/;

/** Returns the place of an addon in the folder. */
const placeOf = (addon) =>
  join('node_modules/@monero-node', addon.package, 'native/build', addon.file);
const LMDB = 'node_modules/lmdb/build/Release/lmdb.node';

/** Returns whether a file is a compiled one. */
const isCompiled = (file) => readFileSync(file).subarray(0, 4).toString('latin1') === '\x7fELF';

/**
 * Throws Error when a compiled file of the folder needs a newer glibc than releases promise, or another library. Returns
 * [path, newest versions needed] of each.
 */
export function checkCompiled(folder) {
  const checked = filesBelow(folder)
    .filter((path) => isCompiled(join(folder, path)))
    .map((path) => ({ path, ...librariesNeeded(join(folder, path)) }));
  const problems = checked.flatMap(({ path, tooNew, libraries }) => [
    ...tooNew.map((version) => `${path} needs ${version}`),
    ...libraries.filter((name) => !ALLOWED.test(name)).map((name) => `${path} needs ${name}`),
  ]);
  if (problems.length > 0) throw new Error(problems.join('; '));
  return checked.map(({ path, needed }) => [path, needed]);
}

/**
 * Makes the folder at `target`.
 *
 * @param scripts a folder that `bundle` has filled
 * @param node the program
 * @param lmdb the compiled addon of lmdb
 * @param addonFile returns the compiled form of an addon of this workspace; undefined to leave it to WebAssembly
 */
export function makeTree({ target, scripts, node, lmdb, addonFile }) {
  cpSync(scripts, target, { recursive: true });
  const put = (file, place, mode) => {
    mkdirSync(dirname(join(target, place)), { recursive: true });
    copyFileSync(file, join(target, place));
    chmodSync(join(target, place), mode);
  };
  put(node, 'node', 0o755);
  put(lmdb, LMDB, 0o644);
  for (const addon of addons()) {
    const file = addonFile(addon);
    if (file !== undefined) put(file, placeOf(addon), 0o644);
  }
}
