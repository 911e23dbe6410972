// Compiles LMDB's addon from the sources in the npm package. The compiled one that its authors publish needs glibc 2.34, and is
// looked for by version of Node.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { linkForOldGlibc, STATIC_LIBRARY } from '../publish/old-glibc.mjs';
import { ROOT } from '../publish/packages.mjs';
import { compilerFor } from './platforms.mjs';

const FOLDER = join(ROOT, 'node_modules/lmdb');
const C_LIBRARY = 'dependencies/lmdb/libraries/liblmdb';
const LZ4 = 'dependencies/lz4/lib';

/** Sources and settings are those of its `binding.gyp` for the interface that all versions of Node share. */
const SOURCES = [
  ...['chacha8.c', 'mdb.c', 'midl.c'].map((name) => `${C_LIBRARY}/${name}`),
  `${LZ4}/lz4.c`,
  ...[
    'lmdb-js',
    'writer',
    'env',
    'compression',
    'ordered-binary',
    'misc',
    'txn',
    'dbi',
    'cursor',
  ].map((name) => `src/${name}.cpp`),
  'src/v8-functions.cpp',
];
const DEFINES = ['MDB_MAXKEYSIZE=0', 'NAPI_DISABLE_CPP_EXCEPTIONS', 'MDB_USE_ROBUST'];
const LINK = ['-shared', '-pthread', '-Wl,--exclude-libs,ALL', '-Wl,--gc-sections', '-s'];

/** Returns the folder of the C++ headers for addons that the package compiles with. */
function addonHeaders() {
  const nested = join(FOLDER, 'node_modules/node-addon-api');
  return [nested, join(ROOT, 'node_modules/node-addon-api')];
}

/**
 * Compiles the addon for a processor to `output`. Throws Error when there is no compiler for it or a source does not compile.
 *
 * @param headers the folder of Node's C headers
 */
export function compileLmdb(processor, headers, output) {
  const scratch = mkdtempSync(join(tmpdir(), 'lmdb-addon-'));
  const flags = [
    ...['-O3', '-fPIC', '-fvisibility=hidden', '-ffunction-sections', '-pthread', '-w'],
    ...[ROOT, scratch].map((folder) => `-ffile-prefix-map=${folder}=.`),
    ...DEFINES.map((define) => `-D${define}`),
    ...[...addonHeaders(), headers, join(FOLDER, LZ4), join(FOLDER, C_LIBRARY)].map(
      (folder) => `-I${folder}`,
    ),
  ];
  const run = (compiler, args) =>
    execFileSync(compiler, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const objects = SOURCES.map((source) => {
      const object = join(scratch, `${basename(source)}.o`);
      const isC = source.endsWith('.c');
      const language = isC ? [] : ['-std=c++17', '-fvisibility-inlines-hidden'];
      const compiler = compilerFor(processor, isC ? 'gcc' : 'g++');
      run(compiler, [...flags, ...language, '-c', join(FOLDER, source), '-o', object]);
      return object;
    });
    const linked = join(scratch, 'lmdb.node');
    const compiler = compilerFor(processor, 'g++');
    const link = (others) =>
      run(compiler, [...LINK, STATIC_LIBRARY, ...objects, '-o', linked, ...others]);
    linkForOldGlibc({ link, output: linked, compiler, scratch });
    mkdirSync(dirname(output), { recursive: true });
    copyFileSync(linked, output);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
