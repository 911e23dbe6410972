// Compiles packages/crypto/native/*.cc to native/build/crypto.node with the system compiler. The
// ifma_*.cc files are compiled for AVX-512 IFMA where the compiler can; at run time they are used
// only if the processor can. Nothing here is an error: the addon is optional, so a missing or
// unfit compiler is reported in one line and the exit code is 0.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiler, compilerVersion, nodeHeaders } from './native-toolchain.mjs';

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const root = resolve(workspace, process.argv[2] ?? 'packages/crypto');
const native = join(root, 'native');
const addon = join(native, 'build/crypto.node');
const scratch = mkdtempSync(join(tmpdir(), 'crypto-addon-'));

function finish(message) {
  rmSync(scratch, { recursive: true, force: true });
  console.log(`crypto: ${message}`);
  process.exit(0);
}

function skip(reason) {
  rmSync(addon, { force: true });
  finish(`native addon not built: ${reason}`);
}

/** Runs the compiler; quiet when a failure is an answer rather than news. */
function compile(args, { quiet = false } = {}) {
  return spawnSync(compiler, args, { stdio: quiet ? 'ignore' : 'inherit' }).status === 0;
}

if (process.platform === 'win32') skip('Windows is not supported by its build script');
if (nodeHeaders === undefined) skip("Node's C headers (node_api.h) were not found");
if (compilerVersion() === undefined) {
  skip(`no C++ compiler (${compiler}) was found (Debian: apt-get install g++)`);
}

const common = [
  ...['-O3', '-std=c++17', '-fPIC', '-fvisibility=hidden', '-Wall', '-Wextra'],
  // The vector code reads the lanes of a vector as 64-bit words.
  '-fno-strict-aliasing',
  '-DNAPI_VERSION=8',
  `-I${nodeHeaders}`,
];
// Must name what native/cpu.cc asks the processor for, and no more.
const ifmaFlags = [
  ...['-mavx2', '-mbmi', '-mbmi2'],
  ...['-mavx512f', '-mavx512dq', '-mavx512ifma', '-mavx512bw', '-mavx512vl'],
  // gcc's own headers pass undefined registers where they do not matter, and it warns of that.
  ...['-Wno-uninitialized', '-Wno-maybe-uninitialized'],
];

const sources = readdirSync(native).filter((name) => name.endsWith('.cc'));
const ifmaSources = sources.filter((name) => name.startsWith('ifma_'));

function object(name) {
  return join(scratch, name.replace(/\.cc$/, '.o'));
}

/** Compiles the IFMA files; answers whether the compiler could. */
function compileIfma() {
  if (process.arch !== 'x64' || ifmaSources.length === 0) return false;
  const probe = [...ifmaFlags, '-x', 'c++', '-E', '-include', 'immintrin.h', '/dev/null'];
  if (!compile(probe, { quiet: true })) return false;
  return ifmaSources.every((name) =>
    compile([...common, ...ifmaFlags, '-c', join(native, name), '-o', object(name)]),
  );
}

const withIfma = compileIfma();
const portableSources = sources.filter((name) => !name.startsWith('ifma_'));
for (const name of portableSources) {
  const define = withIfma ? ['-DMONERO_IFMA'] : [];
  if (!compile([...common, ...define, '-c', join(native, name), '-o', object(name)])) {
    skip('the compiler failed, see above');
  }
}

const objects = (withIfma ? sources : portableSources).map(object);
const linked = join(scratch, 'crypto.node');
const linkFlags = process.platform === 'darwin' ? ['-undefined', 'dynamic_lookup'] : [];
if (!compile(['-shared', ...linkFlags, ...objects, '-o', linked, '-pthread'])) {
  skip('the linker failed, see above');
}
// A running process may have the old file mapped: replace it, do not write into it.
mkdirSync(dirname(addon), { recursive: true });
const fresh = `${addon}.${process.pid}`;
copyFileSync(linked, fresh);
renameSync(fresh, addon);
finish(`native addon built (${withIfma ? 'portable and AVX-512 IFMA' : 'portable'} code)`);
