// Joins the compiled modules of a package into few files. A module costs a reader of the package about a millisecond at the
// first import, for finding, reading and compiling it: codec has 60 of them.
import { buildSync } from 'esbuild';

/**
 * Packages whose modules are joined. The others name files of their own by URL (workers, addons), or have few readers who
 * count the milliseconds of an import.
 */
const JOINED = new Set(['codec', 'keccak', 'rpc-client']);

/** Returns whether the scripts of a package, named without the scope, are published joined. */
export const isJoined = (name) => JOINED.has(name);

/** Returns the scripts that a value of `exports` leads to, as paths without the leading `./`. */
function scriptsOf(target) {
  if (target !== null && typeof target === 'object')
    return Object.values(target).flatMap(scriptsOf);
  return /^\.\/dist\/.*\.js$/.test(target ?? '') ? [target.slice(2)] : [];
}

/**
 * Writes the scripts that `exports` names from the package in `folder` to the one in `target`, each with what only it imports,
 * and what several import as `dist/shared-HASH.js`. Comments go; names of functions stay. Throws Error when a module is missing.
 */
export function joinModules({ folder, target, manifest }) {
  buildSync({
    absWorkingDir: folder,
    entryPoints: [...new Set(scriptsOf(manifest.exports))],
    outbase: folder,
    outdir: target,
    chunkNames: 'dist/shared-[hash]',
    ...{ bundle: true, splitting: true, format: 'esm', packages: 'external' },
    ...{ platform: 'neutral', target: 'es2023', legalComments: 'none', logLevel: 'error' },
  });
}
