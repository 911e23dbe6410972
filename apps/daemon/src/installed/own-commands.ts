import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program of this package, and the script of it in `dist`. */
const SCRIPTS = { 'monero-node': 'main.js', 'monero-node-chain': 'chain-tool.js' } as const;
/** The script of the repository's package.json that starts a program. */
const NPM_SCRIPTS = { 'monero-node': 'monero-node', 'monero-node-chain': 'chain' } as const;
/** Folder of the modules in the Debian package and the Docker image, which have the programs in /usr/bin. */
const SYSTEM_FOLDER = '/usr/lib/monero-node/';

/** Path of Node in the folder that an archive of a release unpacks to, which has the programs at its top. */
const NODE_OF_ARCHIVE = 'lib/node';

export type OwnProgram = keyof typeof SCRIPTS;

/** Where this package lies and what is around it. */
export interface Installation {
  /** Folder with the `package.json` of this package. */
  readonly folder: string;
  /** The variable PATH. */
  readonly searchPath: string;
  readonly exists: (path: string) => boolean;
  /** Returns the file that a link leads to. Throws Error when there is none. */
  readonly resolve: (path: string) => string;
}

function thisInstallation(): Installation {
  return {
    folder: fileURLToPath(new URL('../..', import.meta.url)),
    searchPath: process.env['PATH'] ?? '',
    exists: existsSync,
    resolve: realpathSync,
  };
}

/**
 * Returns what to type to start a program of this package, for messages: a command that exists where this process was installed,
 * whether in a checkout, by npm, as Debian package, in an image or from an archive. Options follow it.
 */
export function ownCommand(program: OwnProgram, at: Installation = thisInstallation()): string {
  const folder = at.folder.endsWith(sep) ? at.folder.slice(0, -1) : at.folder;
  const script = join(folder, 'dist', SCRIPTS[program]);
  if (basename(dirname(folder)) === 'apps' && at.exists(join(folder, '../../tools/setup.mjs')))
    return `npm run ${NPM_SCRIPTS[program]} --`;
  if (folder.startsWith(SYSTEM_FOLDER) && at.exists(`/usr/bin/${program}`)) return program;
  const unpacked = join(folder, '../../../..');
  if (at.exists(join(unpacked, NODE_OF_ARCHIVE)) && at.exists(join(unpacked, program)))
    return join(unpacked, program);
  if (at.searchPath.split(delimiter).some((each) => leadsTo(join(each, program), script, at)))
    return program;
  const linked = join(folder, '../../.bin', program);
  return leadsTo(linked, script, at) ? linked : `node ${script}`;
}

/** Returns a path as a shell takes it, for the options of a command to copy. */
export function quoted(path: string): string {
  return /^[\w./~@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

function leadsTo(link: string, script: string, { exists, resolve }: Installation): boolean {
  return exists(link) && exists(script) && resolve(link) === resolve(script);
}
