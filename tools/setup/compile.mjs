// Compiles workspaces without checking types: TypeScript to JavaScript, and at the same time AssemblyScript to WebAssembly and
// the web page to its bundle.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, run, step } from './checkout.mjs';

/** Programs of a workspace that compile what is not TypeScript for Node. */
const PROGRAMS = ['assembly/build.mjs', 'build.mjs'];
/** The workspace whose programs take about as long as those of all others together. */
const LARGEST = 'packages/crypto';
const RUN_BUILDS = join(root, 'tools/setup/run-builds.mjs');

/**
 * @param {string} folder
 * @returns {{ name: string, dependencies?: Record<string, string> }}
 */
const packageAt = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/**
 * Returns the folders, relative to the root, of all workspaces below these that have sources to compile.
 *
 * @param {readonly string[]} parents
 */
export function workspaceFolders(parents) {
  return parents.flatMap((parent) =>
    readdirSync(join(root, parent))
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(join(root, folder, 'tsconfig.lib.json'))),
  );
}

/**
 * Returns the folder of a workspace and those of every workspace that it needs.
 *
 * @param {string} start
 */
export function foldersNeededBy(start) {
  const folders = new Map(
    workspaceFolders(['packages']).map((folder) => [packageAt(folder).name, folder]),
  );
  /** @type {Set<string>} */
  const needed = new Set();
  /** @param {string | undefined} folder */
  const add = (folder) => {
    if (folder === undefined || needed.has(folder)) return;
    needed.add(folder);
    for (const name of Object.keys(packageAt(folder).dependencies ?? {})) add(folders.get(name));
  };
  add(start);
  return [...needed];
}

/**
 * Compiles the sources of these folders to their `dist`.
 *
 * @param {string[]} folders relative to the root
 * @param {{ withTesting: boolean }} options whether what only tests use is compiled too
 */
export async function compile(folders, { withTesting }) {
  // The records of an incremental build by tsc would no longer be right.
  for (const folder of folders) {
    rmSync(join(root, folder, 'dist/tsconfig.lib.tsbuildinfo'), { force: true });
  }
  const { transpileAll } = await import('./transpile.mjs');
  await step('compiling TypeScript', () => transpileAll(folders));
  const programs = folders.flatMap((folder) =>
    PROGRAMS.map((file) => join(root, folder, file)).filter((file) => existsSync(file)),
  );
  const largest = programs.filter((file) => file.startsWith(join(root, LARGEST)));
  const others = programs.filter((file) => !largest.includes(file));
  const env = { ...process.env, WITHOUT_TESTING: withTesting ? '' : '1' };
  /** @param {readonly string[]} files */
  const build = (files) =>
    run(
      files.map((file) => relative(root, file)).join(', '),
      process.execPath,
      [RUN_BUILDS, ...files],
      { env, shell: false },
    );
  await step('compiling WebAssembly and the web page', () =>
    Promise.all([largest, others].filter((files) => files.length > 0).map(build)),
  );
}
