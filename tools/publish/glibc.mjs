// Finds the oldest C library that a compiled addon runs with.
import { execFileSync } from 'node:child_process';

/** What the published addons for Linux need at most. */
export const MAX_GLIBC = '2.32';

/** Returns the newest version of glibc whose symbols a file uses, such as `2.34`. Needs objdump. */
export function glibcNeeded(file) {
  const symbols = execFileSync('objdump', ['-T', file], { encoding: 'utf8' });
  const minors = [...symbols.matchAll(/\bGLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
  return `2.${Math.max(0, ...minors)}`;
}
