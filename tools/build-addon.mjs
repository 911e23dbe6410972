// Compiles packages/pow/native to native/build/randomx.node with the system compiler and librandomx. Missing tools are
// not an error: the reason is printed in one line and kept beside the addon, for the daemon to tell.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  compiler,
  compilerVersion,
  nodeHeaders,
  PREFIXES,
  randomxPrefix as prefix,
} from './native-toolchain.mjs';

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const root = resolve(workspace, process.argv[2] ?? 'packages/pow');
const sources = join(root, 'native');
const out = join(sources, 'build');
const addon = join(out, 'randomx.node');
const reasonFile = join(out, 'not-built.txt');

const LIBRARY_FOLDERS = [
  'lib',
  'lib64',
  'lib/x86_64-linux-gnu',
  'lib/aarch64-linux-gnu',
  'lib/riscv64-linux-gnu',
];

function skip(reason) {
  rmSync(addon, { force: true });
  mkdirSync(out, { recursive: true });
  writeFileSync(reasonFile, `${reason}\n`);
  console.log(`randomx: native addon not built: ${reason}`);
  process.exit(0);
}

if (nodeHeaders === undefined) skip("Node's C headers (node_api.h) were not found");
if (prefix === undefined) {
  skip(
    `librandomx was not found in ${PREFIXES.join(', ')} ` +
      '(Debian: apt-get install librandomx-dev; elsewhere set RANDOMX_PREFIX)',
  );
}
if (compilerVersion() === undefined) {
  skip(`no C++ compiler (${compiler}) was found (Debian: apt-get install g++)`);
}

mkdirSync(out, { recursive: true });
const libraryFolders = LIBRARY_FOLDERS.map((folder) => join(prefix, folder)).filter((folder) =>
  existsSync(folder),
);
const result = spawnSync(
  compiler,
  [
    ...['-O2', '-std=c++17', '-shared', '-fPIC', '-fvisibility=hidden', '-Wall', '-Wextra'],
    '-DNAPI_VERSION=8',
    ...(process.platform === 'darwin' ? ['-undefined', 'dynamic_lookup'] : []),
    ...[`-I${nodeHeaders}`, `-I${join(prefix, 'include')}`],
    ...readdirSync(sources)
      .filter((name) => name.endsWith('.cc'))
      .map((name) => join(sources, name)),
    ...['-o', addon],
    ...libraryFolders.flatMap((folder) => [`-L${folder}`, `-Wl,-rpath,${folder}`]),
    ...['-lrandomx', '-pthread'],
  ],
  { stdio: 'inherit' },
);
if (result.status !== 0) skip('the C++ compiler failed; its messages are above');
rmSync(reasonFile, { force: true });
console.log('randomx: native addon built');
