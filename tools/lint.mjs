// `npm run lint`: ESLint on the whole checkout in one process, which reads the types that packages share once.
//
//   npm run lint -- packages/rpc --fix
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './setup/checkout.mjs';

const EVERYTHING = [
  'packages',
  'apps',
  'examples',
  'bench',
  'tools',
  'eslint.config.js',
  'jest.preset.js',
];
/** Where nx keeps what it knows of the dependencies between packages. Without it ESLint skips the rule about them. */
const GRAPH = join(root, '.nx/workspace-data/project-graph.json');

const { resolve } = createRequire(join(root, 'package.json'));
const run = (file, args) => ({ file: process.execPath, args: [file, ...args] });
const env = { ...process.env, NX_DAEMON: 'false' };

const nx = run(resolve('nx/bin/nx.js'), ['show', 'projects']);
execFileSync(nx.file, nx.args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
if (!existsSync(GRAPH)) throw new Error(`nx has not written ${GRAPH}`);

const args = process.argv.slice(2);
const hasPaths = args.some((arg) => !arg.startsWith('-'));
const bin = join(dirname(resolve('eslint/package.json')), 'bin/eslint.js');
const eslint = run(bin, hasPaths ? args : [...EVERYTHING, ...args]);
process.exitCode =
  spawnSync(eslint.file, eslint.args, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
