// Finds what a compiled file needs of the system's libraries.
import { execFileSync } from 'node:child_process';

/** The oldest system that releases run on has glibc 2.31, and libstdc++ of GCC 10: Debian 11, Ubuntu 20.04. */
const NEWEST = { GLIBC: [2, 31], GLIBCXX: [3, 4, 28], CXXABI: [1, 3, 12] };

const parse = (version) => version.split('.').map(Number);

/** Returns a negative number, 0 or a positive one, like a comparison of sort. */
function compare(a, b) {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Compares two versions of symbols of one library, such as GLIBC_2.2.5 and GLIBC_2.34, like a comparison of sort. */
export function compareVersions(a, b) {
  const numbers = (version) => parse(version.slice(version.indexOf('_') + 1));
  return compare(numbers(a), numbers(b));
}

/** Returns whether a version of a symbol, such as GLIBC_2.34, is newer than releases may need. */
export function isTooNew(version) {
  const [, library, numbers] = /^([A-Z]+)_([0-9.]+)$/.exec(version) ?? [];
  return library in NEWEST && compare(parse(numbers), NEWEST[library]) > 0;
}

/** Returns those of some versions, of the form GLIBC_2.34, that are the newest of their library, in the order of `NEWEST`. */
function newest(versions) {
  return Object.keys(NEWEST).flatMap((library) => {
    const own = versions.filter((version) => new RegExp(`^${library}_[0-9.]+$`).test(version));
    return own.sort(compareVersions).slice(-1);
  });
}

/**
 * Parses the output of `readelf --version-info --wide`. Returns { needed, tooNew }: the newest versions of symbols that a file
 * takes from each library, and all that are newer than releases may need.
 */
export function parseNeeds(versionInfo) {
  const section = versionInfo.split(/^(?=Version \w+ section)/m);
  const text = section.find((each) => each.startsWith('Version needs section')) ?? '';
  const versions = [...text.matchAll(/Name: (\S+)/g)].map(([, version]) => version);
  return { needed: newest(versions), tooNew: [...new Set(versions.filter(isTooNew))].sort() };
}

/** Returns what readelf of binutils prints of a file, for any processor. */
function readelf(file, ...what) {
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
  return execFileSync('readelf', [...what, '--wide', file], options);
}

/** Returns `parseNeeds` of a file, with the names of the libraries that it loads as `libraries`. */
export function librariesNeeded(file) {
  const libraries = readelf(file, '--dynamic').matchAll(/\(NEEDED\).*\[(.+)\]/g);
  return {
    ...parseNeeds(readelf(file, '--version-info')),
    libraries: [...libraries].map(([, name]) => name),
  };
}

/**
 * Parses the output of `readelf --dyn-syms --wide`. Returns [name, version, isDefined, isDefault] of each symbol with a version.
 */
export function parseSymbols(dynamicSymbols) {
  const line = /^\s*\d+:\s+[0-9a-f]+\s+\S+\s+\w+\s+\w+\s+\w+\s+(\S+)\s+([^\s@]+)(@@?)(\S+)/gm;
  return [...dynamicSymbols.matchAll(line)].map(([, section, name, at, version]) => {
    const isDefined = section !== 'UND';
    return { name, version, isDefined, isDefault: isDefined && at === '@@' };
  });
}

/** Returns the symbols with versions of a compiled file, as `parseSymbols`. */
export const symbolsOf = (file) => parseSymbols(readelf(file, '--dyn-syms'));
