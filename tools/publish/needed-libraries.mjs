// Finds what a compiled addon needs of the system's libraries.
import { execFileSync } from 'node:child_process';

/** The newest versions of symbols that a published addon may need: glibc 2.32, and libstdc++ of GCC 12. */
const NEWEST = { 'GLIBC_2.': 32, 'GLIBCXX_3.4.': 30, 'CXXABI_1.3.': 13 };

/** Returns the newest versions of symbols that a file uses, and those of them that are too new. Needs objdump. */
export function librariesNeeded(file) {
  const symbols = execFileSync('objdump', ['-T', file], { encoding: 'utf8' });
  const needed = Object.keys(NEWEST).map((prefix) => {
    const versions = symbols.split(prefix).slice(1);
    return { prefix, version: Math.max(0, ...versions.map((rest) => Number.parseInt(rest, 10))) };
  });
  const text = ({ prefix, version }) => `${prefix}${version}`;
  const tooNew = needed.filter(({ prefix, version }) => version > NEWEST[prefix]);
  return { needed: needed.map(text), tooNew: tooNew.map(text) };
}
