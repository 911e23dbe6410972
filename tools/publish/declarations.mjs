// Finds the compiled declarations that users of a package can read, and changes compiled files so that they mean the same outside of
// this workspace.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Names that @types/node declares. */
const NODE_TYPES = /from ['"]node:|import\(['"]node:|\bNodeJS\.|\bBuffer\b/;
const DISPOSAL = /\bSymbol\.(asyncDispose|dispose)\b/;
const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
const RELATIVE_IMPORT = /\b(?:from|import) ?\(?['"](\.{1,2}\/[^'"]+?)(?:\.d)?\.[jt]s['"]/g;
const MAP_COMMENT = /\n\/\/# sourceMappingURL=\S+\s*$/;

/** Returns whether a declaration needs @types/node. */
export const usesNodeTypes = (text) => NODE_TYPES.test(text.replace(COMMENTS, ''));

/**
 * Returns a declaration file as it is published: relative imports name the files that exist, `Uint8Array` has no type argument
 * (before 5.7 TypeScript refuses any), and Node's types are asked for by those files that use them, as TypeScript 6 loads
 * no types by itself; so are the symbols of `using`, which no year of ECMAScript that projects name has.
 */
export function publishedDeclaration(text) {
  const portable = text
    .replace(MAP_COMMENT, '\n')
    .replace(/((?:from|import) ?\(?['"]\.{1,2}\/[^'"]*)\.ts(['"])/g, '$1.js$2')
    .replace(/\b(Uint8Array|Buffer)<ArrayBuffer(Like)?>/g, '$1');
  const references = [
    ...(usesNodeTypes(portable) ? ['/// <reference types="node" />\n'] : []),
    ...(DISPOSAL.test(portable) ? ['/// <reference lib="esnext.disposable" />\n'] : []),
  ];
  return references.join('') + portable;
}

/** Returns a script without the name of its source map, which is not published. */
export const publishedScript = (text) => text.replace(MAP_COMMENT, '\n');

/**
 * Returns the declarations that an entry of `exports` names, as paths without the leading `./`. For one that names only a script,
 * TypeScript reads the declaration beside it.
 */
function typesOf(target) {
  if (typeof target === 'string')
    return target.endsWith('.js') ? [target.slice(2).replace(/\.js$/, '.d.ts')] : [];
  const named = (value) => {
    if (value !== null && typeof value === 'object') return Object.values(value).flatMap(named);
    return /\.d\.ts$/.test(value ?? '') ? [value.slice(2)] : [];
  };
  return named(target);
}

/**
 * Returns the paths of the declarations of the package in `folder` that its `exports` name, and of those that these import. Nobody can
 * read others: a module that is no entry point cannot be imported. Throws an error of the system when one is missing.
 */
export function readDeclarations({ folder, manifest }) {
  const found = new Set(Object.values(manifest.exports).flatMap(typesOf));
  for (const path of found) {
    const text = readFileSync(join(folder, path), 'utf8');
    for (const [, module] of text.matchAll(RELATIVE_IMPORT))
      found.add(join(dirname(path), `${module}.d.ts`));
  }
  return found;
}
