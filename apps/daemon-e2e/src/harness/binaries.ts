import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The programs that the tests run, each with the environment variable that overrides its path. */
const PROGRAMS = {
  monerod: 'MONEROD',
  'monero-wallet-rpc': 'MONERO_WALLET_RPC',
  'monero-blockchain-import': 'MONERO_BLOCKCHAIN_IMPORT',
  'monero-blockchain-export': 'MONERO_BLOCKCHAIN_EXPORT',
  'monero-blockchain-prune': 'MONERO_BLOCKCHAIN_PRUNE',
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

/** Path of a Monero program, from its environment variable or PATH; undefined when absent. */
function findProgram(program: Program): string | undefined {
  const named = process.env[PROGRAMS[program]];
  if (named !== undefined && named !== '') return isExecutable(named) ? named : undefined;
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(directory, program);
    if (directory !== '' && isExecutable(path)) return path;
  }
  return undefined;
}

/** Throws Error when the program is absent. */
export function requireProgram(program: Program): string {
  const path = findProgram(program);
  if (path === undefined) {
    throw new Error(
      `${program} is not there: install it (Debian: apt-get install monero) or set ${PROGRAMS[program]}`,
    );
  }
  return path;
}

/** Returns those of the programs that are missing. */
export function missingPrograms(wanted: readonly Program[]): Program[] {
  return wanted.filter((program) => findProgram(program) === undefined);
}
