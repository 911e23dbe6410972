// Links an addon so that it loads with an older glibc than this machine's. A linker takes the newest version of each function
// that the library here has; most of them are older functions, which only moved from one library to another.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareVersions, isTooNew, symbolsOf } from './needed-libraries.mjs';

const SUBSTITUTES = join(dirname(fileURLToPath(import.meta.url)), 'old-glibc.c');
/** Every glibc has this library, and Node has loaded it. */
const SONAME = 'libpthread.so.0';

/** The C++ library goes into the addon. That of GCC for exceptions does not: its present form needs a new glibc. */
export const STATIC_LIBRARY = '-static-libstdc++';
const STATIC_NOW = ['-Wl,--push-state,-Bstatic', '-lstdc++', '-Wl,--pop-state'];

/**
 * Returns [name, version] of each function that a file takes in too new a version, with an older one that the library has too.
 *
 * Throws Error when there is none.
 *
 * @param wanted symbols of the file, as `parseSymbols` returns them
 * @param offered those of the C library
 */
export function olderVersions(wanted, offered) {
  return wanted
    .filter(({ isDefined, version }) => !isDefined && isTooNew(version))
    .map(({ name, version }) => {
      const older = offered
        .filter((each) => each.isDefined && each.name === name && !isTooNew(each.version))
        .map((each) => each.version)
        .sort(compareVersions);
      if (older.length === 0) throw new Error(`${name} is new in ${version}`);
      return [name, older.at(-1)];
    });
}

/** Makes a library that has nothing but names, in the versions given, and returns its path. */
function makeNames(names, compiler, scratch) {
  const source = join(scratch, 'names.s');
  const map = join(scratch, 'names.map');
  const labels = names.map(([name]) => `.globl ${name}\n.type ${name}, %function\n${name}:\n`);
  writeFileSync(
    source,
    `.text\n${labels.join('')}.byte 0\n.section .note.GNU-stack,"",%progbits\n`,
  );
  const versions = [...new Set(names.map(([, version]) => version))];
  const nodes = versions.map((version) => {
    const own = names.filter((each) => each[1] === version).map(([name]) => `${name};`);
    return `${version} { global: ${own.join(' ')} };\n`;
  });
  writeFileSync(map, nodes.join(''));
  const library = join(scratch, 'libnames.so');
  const how = ['-shared', '-nostdlib', `-Wl,-soname,${SONAME}`, `-Wl,--version-script,${map}`];
  execFileSync(compiler, [...how, source, '-o', library], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return library;
}

/**
 * Links a file twice: the second time with the older versions of the functions that were too new.
 *
 * Throws Error when the linker fails or a function has no older version.
 *
 * @param link links the file, with these objects, libraries and options after its own
 * @param compiler of C++
 */
export function linkForOldGlibc({ link, output, compiler, scratch }) {
  const substitutes = join(scratch, 'old-glibc.o');
  execFileSync(compiler, ['-x', 'c', '-O2', '-fPIC', '-c', SUBSTITUTES, '-o', substitutes]);
  // Without a name of its own, the file would have the path that it is linked to.
  const first = [substitutes, `-Wl,-soname,${basename(output)}`];
  link(first);
  const library = execFileSync(compiler, ['-print-file-name=libc.so.6'], {
    encoding: 'utf8',
  }).trim();
  const names = olderVersions(symbolsOf(output), symbolsOf(library));
  if (names.length === 0) return;
  rmSync(output);
  // GNU's linker takes a name from here only if something that it read before needs it.
  link([...first, ...STATIC_NOW, makeNames(names, compiler, scratch)]);
}
