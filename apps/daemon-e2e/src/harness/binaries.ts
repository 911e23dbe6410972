import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The programs that the tests run, each with the environment variable that overrides its path. */
const PROGRAMS = {
  monerod: 'MONEROD',
  'monero-wallet-rpc': 'MONERO_WALLET_RPC',
  'monero-blockchain-import': 'MONERO_BLOCKCHAIN_IMPORT',
  'monero-blockchain-export': 'MONERO_BLOCKCHAIN_EXPORT',
  'monero-blockchain-prune': 'MONERO_BLOCKCHAIN_PRUNE',
  xmrig: 'XMRIG',
  prometheus: 'PROMETHEUS',
  promtool: 'PROMTOOL',
} as const;

export type Program = keyof typeof PROGRAMS;

/** Path of our daemon's entry point (needs `nx build @monero-node/daemon`). */
export const OUR_DAEMON =
  process.env['MONERO_NODE'] ??
  fileURLToPath(new URL('../../../daemon/dist/main.js', import.meta.url));

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether the suites run against the current release, which tools/current-monero.mjs installs (E2E_CURRENT=1). */
const WANTS_CURRENT = process.env['E2E_CURRENT'] === '1';

/** Programs that no release of Monero brings. */
const FOREIGN = new Set<Program>(['prometheus', 'promtool']);

/** Folders in which a program is looked for. */
function searchPath(program: Program): string[] {
  if (!WANTS_CURRENT || FOREIGN.has(program)) return (process.env['PATH'] ?? '').split(delimiter);
  const installed = process.env['MONERO_CURRENT'] ?? join(homedir(), '.cache/monero-current');
  return [join(installed, 'bin')];
}

/**
 * Path of a Monero program, from its environment variable, the folder of the current release (E2E_CURRENT=1) or
 * PATH; undefined when absent.
 */
function findProgram(program: Program): string | undefined {
  const named = process.env[PROGRAMS[program]];
  if (named !== undefined && named !== '') return isExecutable(named) ? named : undefined;
  for (const directory of searchPath(program)) {
    const path = join(directory, program);
    if (directory !== '' && isExecutable(path)) return path;
  }
  return undefined;
}

/** Throws Error when the program is absent. */
export function requireProgram(program: Program): string {
  const path = findProgram(program);
  if (path === undefined) {
    const debianPackage = FOREIGN.has(program) ? 'prometheus' : 'monero';
    const how =
      WANTS_CURRENT && !FOREIGN.has(program)
        ? 'node tools/current-monero.mjs'
        : `Debian: apt-get install ${debianPackage}`;
    throw new Error(`${program} is not there: install it (${how}) or set ${PROGRAMS[program]}`);
  }
  return path;
}

/** Returns those of the programs that are missing. */
export function missingPrograms(wanted: readonly Program[]): Program[] {
  return wanted.filter((program) => findProgram(program) === undefined);
}

/** The releases that answer alike: 0.18.0.0, and the later ones up to the current 0.18.5.3. */
export type Release = 'old' | 'current';

let release: Release | undefined;

/** Returns which release the installed monerod is. Throws Error when it is absent or does not run. */
export function monerodRelease(): Release {
  if (release === undefined) {
    const printed = execFileSync(requireProgram('monerod'), ['--version'], { encoding: 'utf8' });
    release = /\(v0\.18\.0\./.test(printed) ? 'old' : 'current';
  }
  return release;
}
