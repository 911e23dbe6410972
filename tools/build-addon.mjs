// Compiles a native addon with the system compiler:
//
//   node tools/build-addon.mjs crypto | randomx [--sanitize[=portable] | --release=FOLDER]
//
// With --release the addon goes to FOLDER and needs no library but the system's C library; ADDON_ARCH names the processor when
// CXX is a cross compiler. tools/build-prebuilt.mjs uses it.
//
// With --sanitize the addon checks its memory accesses and its arithmetic while it runs, and goes to
// .sanitize/ instead; tools/sanitize.mjs uses it there. --sanitize=portable leaves out the vector code.
//
// The addons are optional. When one cannot be built, the reason is printed in one line and kept next to
// it in not-built.txt, where the daemon finds it; the exit code is 0 all the same.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  compiler,
  compilerVersion,
  nodeHeaders,
  PREFIXES,
  randomxPrefix,
} from './native-toolchain.mjs';

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Every `*.cc` file of an addon's folder is compiled; those whose names start with `vectorPrefix` are compiled
 * with `vectorFlags` where the compiler accepts them, and left out otherwise.
 */
const ADDONS = {
  crypto: {
    folder: 'packages/crypto/native',
    // The vector code reads the lanes of a vector as 64-bit words.
    flags: ['-O3', '-fno-strict-aliasing'],
    vectorPrefix: 'ifma_',
    vectorDefine: '-DMONERO_IFMA',
    // These must name the processor features that native/cpu.cc tests for, and no others.
    vectorFlags: [
      ...['-mavx2', '-mbmi', '-mbmi2'],
      ...['-mavx512f', '-mavx512dq', '-mavx512ifma', '-mavx512bw', '-mavx512vl'],
      // gcc warns of its own headers, which pass undefined registers where their value is irrelevant.
      ...['-Wno-uninitialized', '-Wno-maybe-uninitialized'],
    ],
  },
  randomx: { folder: 'packages/pow/native', flags: ['-O2'], library: 'randomx' },
};

const LIBRARY_FOLDERS = [
  'lib',
  'lib64',
  'lib/x86_64-linux-gnu',
  'lib/aarch64-linux-gnu',
  'lib/riscv64-linux-gnu',
];

const SANITIZE_FLAGS = [
  ...['-fsanitize=address,undefined', '-fno-sanitize-recover=all'],
  // The vector code takes many minutes with more optimisation than this.
  ...['-fno-omit-frame-pointer', '-g1', '-O1'],
];

/** Hide the symbols of libraries from other addons, and drop symbols for debuggers. Node itself loads the C++ library. */
const RELEASE_FLAGS = ['-Wl,--exclude-libs,ALL', '-Wl,-z,noexecstack', '-Wl,--gc-sections', '-s'];

const name = process.argv[2];
const mode = process.argv[3];
const sanitize = mode?.startsWith('--sanitize') ?? false;
const addon = ADDONS[name];
if (addon === undefined) {
  console.error(`usage: node tools/build-addon.mjs ${Object.keys(ADDONS).join(' | ')}`);
  process.exit(2);
}
const sources = join(workspace, addon.folder);
const release = /^--release=(.+)$/.exec(mode ?? '')?.[1];
const arch = process.env.ADDON_ARCH ?? process.arch;
const output = release ?? (sanitize ? join(workspace, '.sanitize') : join(sources, 'build'));
const scratch = mkdtempSync(join(tmpdir(), `${name}-addon-`));

function finish(message) {
  rmSync(scratch, { recursive: true, force: true });
  console.log(`${name}: ${message}`);
  process.exit(0);
}

function skip(reason) {
  if (release !== undefined) {
    rmSync(scratch, { recursive: true, force: true });
    console.error(`${name}: ${reason}`);
    process.exit(1);
  }
  rmSync(join(output, `${name}.node`), { force: true });
  mkdirSync(output, { recursive: true });
  writeFileSync(join(output, 'not-built.txt'), `${reason}\n`);
  finish(`native addon not built: ${reason}`);
}

/** Returns whether the compiler succeeded. */
function compile(args, { quiet = false } = {}) {
  return spawnSync(compiler, args, { stdio: quiet ? 'ignore' : 'inherit' }).status === 0;
}

/** Returns why the addon cannot be built here, or undefined. */
function missing() {
  if (process.platform === 'win32') return 'the build script does not support Windows';
  if (nodeHeaders === undefined) return "Node's C headers (node_api.h) were not found";
  if (addon.library === 'randomx' && randomxPrefix === undefined) {
    return (
      `librandomx was not found in ${PREFIXES.join(', ')} ` +
      '(Debian: apt-get install librandomx-dev; elsewhere set RANDOMX_PREFIX)'
    );
  }
  if (compilerVersion() === undefined) {
    return `no C++ compiler (${compiler}) was found (Debian: apt-get install g++)`;
  }
  return undefined;
}

function compileFlags() {
  const flags = ['-std=c++17', '-fPIC', '-fvisibility=hidden', '-Wall', '-Wextra', '-pthread'];
  const headers = [`-I${nodeHeaders}`];
  if (addon.library) headers.push(`-I${join(randomxPrefix, 'include')}`);
  if (sanitize) flags.push(...SANITIZE_FLAGS);
  return [...addon.flags, ...flags, '-DNAPI_VERSION=8', ...headers];
}

function linkFlags() {
  const flags = process.platform === 'darwin' ? ['-undefined', 'dynamic_lookup'] : [];
  if (addon.library) {
    const folders = LIBRARY_FOLDERS.map((folder) => join(randomxPrefix, folder)).filter(existsSync);
    flags.push(...folders.map((folder) => `-L${folder}`));
    // A release contains the library.
    if (release === undefined) flags.push(...folders.map((folder) => `-Wl,-rpath,${folder}`));
    flags.push(`-l${addon.library}`);
  }
  if (sanitize) flags.push(...SANITIZE_FLAGS);
  if (release !== undefined && process.platform === 'linux') flags.push(...RELEASE_FLAGS);
  return [...flags, '-pthread'];
}

/** Whether the compiler accepts the flags for the vector files on this architecture. */
function hasVectorFlags() {
  if (addon.vectorPrefix === undefined || arch !== 'x64') return false;
  if (mode === '--sanitize=portable') return false;
  const probe = ['-x', 'c++', '-E', '-include', 'immintrin.h', '/dev/null'];
  return compile([...addon.vectorFlags, ...probe], { quiet: true });
}

/** Compiles the files to objects; returns their paths, or undefined when one does not compile. */
function compileAll(names, flags) {
  const objects = [];
  for (const file of names) {
    const object = join(scratch, file.replace(/\.cc$/, '.o'));
    if (!compile([...flags, '-c', join(sources, file), '-o', object])) return undefined;
    objects.push(object);
  }
  return objects;
}

const reason = missing();
if (reason !== undefined) skip(reason);

const files = readdirSync(sources).filter((file) => file.endsWith('.cc'));
const isVector = (file) => addon.vectorPrefix !== undefined && file.startsWith(addon.vectorPrefix);
const flags = compileFlags();
const vectorObjects = hasVectorFlags()
  ? compileAll(files.filter(isVector), [...flags, ...addon.vectorFlags])
  : undefined;
const objects = compileAll(
  files.filter((file) => !isVector(file)),
  vectorObjects ? [...flags, addon.vectorDefine] : flags,
);
if (objects === undefined) skip('the C++ compiler failed; its messages are above');

const linked = join(scratch, `${name}.node`);
if (!compile(['-shared', ...objects, ...(vectorObjects ?? []), '-o', linked, ...linkFlags()])) {
  skip('the linker failed; its messages are above');
}
// A running process may have mapped the old file, so it is replaced and not overwritten.
mkdirSync(output, { recursive: true });
const fresh = join(output, `${name}.node.${process.pid}`);
copyFileSync(linked, fresh);
renameSync(fresh, join(output, `${name}.node`));
rmSync(join(output, 'not-built.txt'), { force: true });
finish(`native addon built${vectorObjects ? ' with AVX-512 IFMA code' : ''}`);
