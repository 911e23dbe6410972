// Changes compiled files so that they mean the same outside of this workspace.

/** Names that @types/node declares. */
const NODE_TYPES = /from ['"]node:|import\(['"]node:|\bNodeJS\.|\bBuffer\b/;
const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
const MAP_COMMENT = /\n\/\/# sourceMappingURL=\S+\s*$/;

/** Returns whether a declaration needs @types/node. */
export const usesNodeTypes = (text) => NODE_TYPES.test(text.replace(COMMENTS, ''));

/**
 * Returns a declaration file as it is published: relative imports name the files that exist, `Uint8Array` has no type argument
 * (before 5.7 TypeScript refuses any), and Node's types are asked for by those files that use them, as TypeScript 6 loads
 * no types by itself.
 */
export function publishedDeclaration(text) {
  const portable = text
    .replace(MAP_COMMENT, '\n')
    .replace(/((?:from|import) ?\(?['"]\.{1,2}\/[^'"]*)\.ts(['"])/g, '$1.js$2')
    .replace(/\b(Uint8Array|Buffer)<ArrayBuffer(Like)?>/g, '$1');
  return usesNodeTypes(portable) ? `/// <reference types="node" />\n${portable}` : portable;
}

/** Returns a script without the name of its source map, which is not published. */
export const publishedScript = (text) => text.replace(MAP_COMMENT, '\n');
