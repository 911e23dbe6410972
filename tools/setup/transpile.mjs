// Turns TypeScript into JavaScript, file by file, as `tsc` would; types are checked elsewhere.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { transform } from '@swc/core';
import { root } from './checkout.mjs';

/** Files that are read and transformed at a time. */
const AT_A_TIME = 64;

const { target } = JSON.parse(
  readFileSync(join(root, 'tsconfig.base.json'), 'utf8'),
).compilerOptions;
/** The types of swc lack rewriteRelativeImportExtensions. @type {any} */
const OPTIONS = {
  swcrc: false,
  configFile: false,
  sourceMaps: true,
  module: { type: 'es6' },
  jsc: {
    target,
    parser: { syntax: 'typescript' },
    transform: { verbatimModuleSyntax: true },
    rewriteRelativeImportExtensions: true,
  },
};

/**
 * Returns the folders of sources that a package's build leaves out, such as `src/testing`.
 *
 * @param {string} folder
 */
function excludedFolders(folder) {
  /** @type {{ exclude?: string[] }} */
  const { exclude = [] } = JSON.parse(readFileSync(join(folder, 'tsconfig.lib.json'), 'utf8'));
  return exclude
    .filter((pattern) => /^[^*]+\/\*\*$/.test(pattern))
    .map((pattern) => join(folder, pattern.slice(0, -'/**'.length)));
}

/**
 * Returns the paths of the files below `src` of a package that its build compiles.
 *
 * @param {string} folder
 */
function sourcesOf(folder) {
  const excluded = excludedFolders(folder);
  /** @type {(parent: string) => string[]} */
  const below = (parent) =>
    readdirSync(parent, { withFileTypes: true }).flatMap((entry) => {
      const path = join(parent, entry.name);
      if (entry.isDirectory()) return excluded.includes(path) ? [] : below(path);
      return /\.ts$/.test(entry.name) && !/\.(spec|fuzz|d)\.ts$/.test(entry.name) ? [path] : [];
    });
  return below(join(folder, 'src'));
}

/**
 * @param {string} source
 * @param {string} output
 */
async function transpile(source, output) {
  const name = basename(output);
  const { code, map } = await transform(readFileSync(source, 'utf8'), {
    ...OPTIONS,
    filename: source,
    sourceFileName: relative(dirname(output), source),
  });
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, `${code}\n//# sourceMappingURL=${name}.map\n`);
  writeFileSync(`${output}.map`, map ?? '');
}

/**
 * Writes dist/**.js, with source maps, from src/**.ts of each folder.
 *
 * @param {readonly string[]} folders
 */
export async function transpileAll(folders) {
  const jobs = folders.flatMap((folder) => {
    const src = join(root, folder, 'src');
    const dist = join(root, folder, 'dist');
    return sourcesOf(join(root, folder)).map((source) => ({
      source,
      output: join(dist, relative(src, source)).replace(/\.ts$/, '.js'),
    }));
  });
  for (let i = 0; i < jobs.length; i += AT_A_TIME) {
    const some = jobs.slice(i, i + AT_A_TIME);
    await Promise.all(some.map(({ source, output }) => transpile(source, output)));
  }
}
