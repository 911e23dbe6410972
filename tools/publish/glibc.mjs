// Finds the oldest C library that a compiled addon runs with.
import { execFileSync } from 'node:child_process';

/** The newest glibc that a published addon may need. */
export const MAX_GLIBC = '2.32';

/** Returns the newest version of glibc whose symbols a file uses, such as `2.34`. Needs objdump. */
export function glibcNeeded(file) {
  const symbols = execFileSync('objdump', ['-T', file], { encoding: 'utf8' });
  const minors = [...symbols.matchAll(/\bGLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
  return `2.${Math.max(0, ...minors)}`;
}
