// Joins the compiled modules of a package into few files. At the first import each module costs about a millisecond, for
// finding, reading and compiling it, and a devnet would load 900 of them.
import { buildSync } from 'esbuild';

/** Packages whose modules are not joined: they are programs or pages, and nobody's first import. */
const NOT_JOINED = new Set(['daemon', 'dashboard']);

/** Returns whether the scripts of a package, named without the scope, are published joined. */
export const isJoined = (name) => !NOT_JOINED.has(name);

/** Returns the scripts that a value of `exports`, `imports` or `bin` leads to, as paths without the leading `./`. */
function scriptsOf(target) {
  if (target !== null && typeof target === 'object')
    return Object.values(target).flatMap(scriptsOf);
  return /^\.\/dist\/.*\.js$/.test(target ?? '') ? [target.slice(2)] : [];
}

/**
 * Writes the scripts that `exports`, `imports` and `bin` name from the package in `folder` to the one in `target`, each with what only it
 * imports, and what several import as `dist/shared-HASH.js`. Comments go; names of functions stay. Throws Error when a module is missing.
 *
 * A module that finds a file beside it by `import.meta.url` has to be one that `imports` names, because those stay where they are; others
 * find files of their package by its name.
 */
export function joinModules({ folder, target, manifest }) {
  const { exports, imports, bin } = manifest;
  buildSync({
    absWorkingDir: folder,
    entryPoints: [...new Set([exports, imports, bin].flatMap(scriptsOf))],
    outbase: folder,
    outdir: target,
    chunkNames: 'dist/shared-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    packages: 'external',
    // What they lead to depends on where the package runs.
    external: Object.keys(imports ?? {}),
    platform: 'neutral',
    target: 'es2023',
    legalComments: 'none',
    logLevel: 'error',
  });
}
