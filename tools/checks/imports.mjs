import { posix } from 'node:path';

const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
// import … from 'x', export … from 'x', import 'x', import('x') and new URL('./x.ts', import.meta.url).
const IMPORTS =
  /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]|new URL\(\s*['"](\.[^'"]+\.[cm]?[jt]s)['"]/g;

/** Returns what a file imports: package names as written, files as paths relative to the checkout. */
export function importsOf(path, text) {
  return Array.from(text.replace(COMMENTS, '').matchAll(IMPORTS), ([, module, url]) => {
    const name = module ?? url;
    return name.startsWith('.') ? posix.join(posix.dirname(path), name) : name;
  });
}
