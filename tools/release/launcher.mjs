// Makes the shell scripts that start the programs with the Node beside them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../publish/packages.mjs';

/** The programs, and the script of each. */
export const PROGRAMS = { 'monero-node': 'main.js', 'monero-node-chain': 'chain-tool.js' };

/**
 * Returns a shell script that starts a program.
 *
 * @param lib the folder with Node, relative to the one of the script
 * @param loader path of the loader of glibc
 */
export function launcher(program, lib, loader) {
  return readFileSync(join(ROOT, 'deploy/archive/launcher.sh'), 'utf8')
    .replaceAll('@PROGRAM@', program)
    .replaceAll('@SCRIPT@', PROGRAMS[program])
    .replaceAll('@LIB@', lib)
    .replaceAll('@LOADER@', loader);
}
