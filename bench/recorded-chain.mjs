// Puts the chain that was recorded for apps/daemon-e2e into the data directories of both daemons, unverified: what is
// measured is something else.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const RECORDED = fileURLToPath(new URL('../apps/daemon-e2e/fixtures/chain.raw', import.meta.url));
const IMPORT = process.env.MONERO_BLOCKCHAIN_IMPORT ?? 'monero-blockchain-import';
const OUR_TOOL = fileURLToPath(new URL('../apps/daemon/dist/chain-tool.js', import.meta.url));
/** Environment variable with the directory of a chain that monerod has imported before. */
export const IMPORTED = 'BENCH_IMPORTED_CHAIN';

/**
 * @param {string} dataDir
 * @returns {[string, string[]]}
 */
const forMonerod = (dataDir) => [
  IMPORT,
  [
    ...['--keep-fakechain', '--offline', '--log-level', '0'],
    ...['--dangerous-unverified-import', '1'],
    ...recordedChain(dataDir),
  ],
];

/**
 * Makes a data directory of monerod that has the chain: a copy of an imported one, or by an import.
 *
 * @param {string} dataDir
 */
export function importIntoMonerod(dataDir) {
  const imported = process.env[IMPORTED];
  if (imported !== undefined && existsSync(imported))
    return cpSync(imported, dataDir, { recursive: true });
  mkdirSync(dataDir, { recursive: true });
  execFileSync(...forMonerod(dataDir), { cwd: dataDir, stdio: 'ignore' });
}

/**
 * Imports the chain for monerod while something else runs: its tool waits 90 seconds before it begins.
 *
 * @param {string} dataDir
 */
export async function importAhead(dataDir) {
  mkdirSync(dataDir, { recursive: true });
  await promisify(execFile)(...forMonerod(dataDir), { cwd: dataDir, maxBuffer: 64 * 2 ** 20 });
}

/**
 * Makes a data directory of our daemon that has the chain.
 *
 * @param {string} dataDir
 */
export function importIntoOurs(dataDir) {
  mkdirSync(dataDir, { recursive: true });
  const args = [OUR_TOOL, 'import', '--dangerous-unverified-import', ...recordedChain(dataDir)];
  execFileSync(process.execPath, args, { cwd: dataDir, stdio: 'ignore' });
}

/** @param {string} dataDir */
function recordedChain(dataDir) {
  const chain = ['--regtest', '--fixed-difficulty', '1', '--input-file', RECORDED];
  return [...chain, '--data-dir', dataDir];
}
