// Joins the compiled modules of a package into few files. At the first import each module costs about a millisecond, for
// finding, reading and compiling it: codec has 60 of them.
import { buildSync } from 'esbuild';

/**
 * Packages whose modules are joined: those that short programs and pages import. Some of the others name files of their own
 * by URL (workers, addons), which a joined file would not find.
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
    bundle: true,
    splitting: true,
    format: 'esm',
    packages: 'external',
    platform: 'neutral',
    target: 'es2023',
    legalComments: 'none',
    logLevel: 'error',
  });
}
