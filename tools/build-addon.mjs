// Compiles packages/pow/native/binding.cc to native/build/randomx.node with the system compiler
// and librandomx. Missing tools are not an error: the reason is printed in one line.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const root = resolve(workspace, process.argv[2] ?? 'packages/pow');
const prefix = process.env.RANDOMX_PREFIX ?? '/usr';
const compiler = process.env.CXX ?? 'c++';
const out = join(root, 'native/build');
const addon = join(out, 'randomx.node');

const nodeHeaders = [
  join(dirname(dirname(process.execPath)), 'include/node'),
  '/usr/include/node',
].find((dir) => existsSync(join(dir, 'node_api.h')));

function skip(reason) {
  rmSync(addon, { force: true });
  console.log(`randomx: native addon not built: ${reason}`);
  process.exit(0);
}

if (nodeHeaders === undefined) skip("Node's C headers (node_api.h) were not found");
if (!existsSync(join(prefix, 'include/randomx.h'))) {
  skip('librandomx was not found (Debian: apt-get install librandomx-dev)');
}
if (spawnSync(compiler, ['--version']).status !== 0) {
  skip(`no C++ compiler (${compiler}) was found (Debian: apt-get install g++)`);
}

mkdirSync(out, { recursive: true });
const libraryDirs = ['lib', 'lib/x86_64-linux-gnu', 'lib/aarch64-linux-gnu']
  .map((dir) => join(prefix, dir))
  .filter((dir) => existsSync(dir));
const result = spawnSync(
  compiler,
  [
    '-O2',
    '-std=c++17',
    '-shared',
    '-fPIC',
    '-Wall',
    '-Wextra',
    '-DNAPI_VERSION=8',
    ...(process.platform === 'darwin' ? ['-undefined', 'dynamic_lookup'] : []),
    `-I${nodeHeaders}`,
    `-I${join(prefix, 'include')}`,
    join(root, 'native/binding.cc'),
    '-o',
    addon,
    ...libraryDirs.flatMap((dir) => [`-L${dir}`, `-Wl,-rpath,${dir}`]),
    '-lrandomx',
    '-pthread',
  ],
  { stdio: 'inherit' },
);
if (result.status !== 0) skip('the compiler failed, see above');
console.log('randomx: native addon built');
