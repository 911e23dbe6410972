// Compiles a native addon with the system compiler:
//
//   node tools/build-addon.mjs crypto | fcmp | randomx [--sanitize[=PATHS] | --release=FOLDER]
//
// With --release the addon goes to FOLDER, needs no library but the system's C library, of whose older releases too, and has the
// same bytes wherever the checkout lies; ADDON_ARCH names the processor when CXX is a cross compiler. tools/build-prebuilt.mjs
// uses it.
//
// With --sanitize the addon checks its memory accesses and its arithmetic while it runs, and goes to
// .sanitize/ instead; tools/sanitize.mjs uses it there. --sanitize=portable,avx2 compiles no vector code but that for AVX2.
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
import { linkForOldGlibc, STATIC_LIBRARY } from './publish/old-glibc.mjs';

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));

/** These name the processor features that cpu.cc and items.cc of the addons test for, and no others. */
const AVX2_FLAGS = ['-mavx2', '-mbmi', '-mbmi2'];
const IFMA_FLAGS = ['-mavx512f', '-mavx512dq', '-mavx512ifma', '-mavx512bw', '-mavx512vl'];
/** gcc warns of its own headers, which pass undefined registers where their value is irrelevant. */
const VECTOR_WARNINGS = ['-Wno-uninitialized', '-Wno-maybe-uninitialized'];

/**
 * Every `*.cc` file of an addon's folder is compiled. Those whose names start with `vectorPrefix` are compiled once for
 * each of `vectorPaths`, with MONERO_PATH defined as its name, where the compiler accepts its flags; the others see
 * which paths there are, as MONERO_AVX2, MONERO_IFMA and MONERO_AVX512.
 */
const ADDONS = {
  crypto: {
    folder: 'packages/crypto/native',
    // The vector code reads the lanes of a vector as 64-bit words.
    flags: ['-O3', '-fno-strict-aliasing'],
    vectorPrefix: 'lanes_',
    vectorPaths: {
      avx2: [...AVX2_FLAGS, ...VECTOR_WARNINGS],
      ifma: [...AVX2_FLAGS, ...IFMA_FLAGS, ...VECTOR_WARNINGS],
    },
  },
  fcmp: { folder: 'packages/fcmp/native', flags: ['-O3', '-fno-strict-aliasing'] },
  randomx: {
    folder: 'packages/pow/native',
    flags: ['-O2'],
    library: 'randomx',
    vectorPrefix: 'lanes_',
    vectorPaths: {
      avx2: ['-O3', '-mavx2', ...VECTOR_WARNINGS],
      avx512: ['-O3', '-mavx512f', '-mavx512dq', ...VECTOR_WARNINGS],
    },
  },
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
  // The vector code takes many minutes with more optimization than this.
  ...['-fno-omit-frame-pointer', '-g1', '-O1'],
];

/** Where this linker is installed, it keeps one copy of functions that several objects have: a third of crypto. */
const FOLDING_FLAGS = ['-fuse-ld=gold', '-Wl,--icf=safe'];
/** Hide the symbols of libraries from other addons, and drop symbols for debuggers. */
const RELEASE_FLAGS = ['-Wl,--exclude-libs,ALL', '-Wl,-z,noexecstack', '-Wl,--gc-sections', '-s'];
/** Notes of compilers, linkers and libraries about themselves, which no program reads. */
const NOTES = ['.comment', '.note.gnu.gold-version', '.note.stapsdt'];

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
  if (release !== undefined) {
    flags.push('-ffunction-sections');
    flags.push(...[workspace, scratch].map((folder) => `-ffile-prefix-map=${folder}=.`));
  }
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
  if (release !== undefined && process.platform === 'linux') {
    flags.push(...RELEASE_FLAGS, STATIC_LIBRARY);
    const probe = ['-shared', '-x', 'c++', '/dev/null', '-o', join(scratch, 'probe.so')];
    if (compile([...probe, ...FOLDING_FLAGS], { quiet: true })) flags.push(...FOLDING_FLAGS);
  }
  return [...flags, '-pthread'];
}

/** Returns the paths of the vector code to compile: those whose flags the compiler accepts. */
function vectorPaths() {
  if (addon.vectorPaths === undefined || arch !== 'x64') return [];
  const wanted = /^--sanitize=(.+)$/.exec(mode ?? '')?.[1].split(',');
  const probe = ['-x', 'c++', '-E', '-include', 'immintrin.h', '/dev/null'];
  return Object.keys(addon.vectorPaths).filter(
    (path) =>
      (wanted?.includes(path) ?? true) &&
      compile([...addon.vectorPaths[path], ...probe], { quiet: true }),
  );
}

/** Compiles the files to objects; returns their paths, or undefined when one does not compile. */
function compileAll(names, flags, suffix = '') {
  const objects = [];
  for (const file of names) {
    const object = join(scratch, file.replace(/\.cc$/, `${suffix}.o`));
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
/** The objects of each path that compiles. */
const vectorObjects = new Map();
for (const path of vectorPaths()) {
  const pathFlags = [...flags, ...addon.vectorPaths[path], `-DMONERO_PATH=${path}`];
  const compiled = compileAll(files.filter(isVector), pathFlags, `-${path}`);
  if (compiled !== undefined) vectorObjects.set(path, compiled);
  // A user's compiler may lack something; one that makes releases or runs the tests must not.
  else if (release !== undefined || mode !== undefined || process.env.CI === 'true') {
    skip(`the vector code for ${path} does not compile; the messages are above`);
  }
}
const paths = [...vectorObjects.keys()];
const objects = compileAll(
  files.filter((file) => !isVector(file)),
  [...flags, ...paths.map((path) => `-DMONERO_${path.toUpperCase()}`)],
);
if (objects === undefined) skip('the C++ compiler failed; its messages are above');

const linked = join(scratch, `${name}.node`);
const allObjects = [...objects, ...[...vectorObjects.values()].flat()];

/** Links the addon, with further objects and libraries. */
function link(others = []) {
  if (compile(['-shared', ...allObjects, '-o', linked, ...linkFlags(), ...others])) return;
  skip('the linker failed; its messages are above');
}

/** Removes what the linker cannot leave out. */
function dropNotes() {
  const found = spawnSync(compiler, ['-print-prog-name=strip'], { encoding: 'utf8' });
  const args = [...NOTES.map((section) => `--remove-section=${section}`), linked];
  if (spawnSync(found.stdout.trim(), args, { stdio: 'inherit' }).status === 0) return;
  skip('strip failed or is not there (Debian: apt-get install binutils)');
}

if (release === undefined || process.platform !== 'linux') link();
else {
  linkForOldGlibc({ link, output: linked, compiler, scratch });
  dropNotes();
}
// A running process may have mapped the old file, so it is replaced and not overwritten.
mkdirSync(output, { recursive: true });
const fresh = join(output, `${name}.node.${process.pid}`);
copyFileSync(linked, fresh);
renameSync(fresh, join(output, `${name}.node`));
rmSync(join(output, 'not-built.txt'), { force: true });
finish(
  `native addon built${paths.length > 0 ? ` with vector code for ${paths.join(' and ')}` : ''}`,
);
