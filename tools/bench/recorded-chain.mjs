// Puts the chain that was recorded for apps/daemon-e2e into the data directories of both daemons, unverified: what is
// measured is something else.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const RECORDED = fileURLToPath(
  new URL('../../apps/daemon-e2e/fixtures/chain.raw', import.meta.url),
);
const IMPORT = process.env.MONERO_BLOCKCHAIN_IMPORT ?? 'monero-blockchain-import';
const OUR_TOOL = fileURLToPath(new URL('../../apps/daemon/dist/chain-tool.js', import.meta.url));

/** Makes a data directory of monerod that has the chain. */
export function importIntoMonerod(dataDir) {
  runImport(dataDir, IMPORT, [
    ...['--keep-fakechain', '--offline', '--log-level', '0'],
    ...['--dangerous-unverified-import', '1'],
  ]);
}

/** Makes a data directory of our daemon that has the chain. */
export function importIntoOurs(dataDir) {
  runImport(dataDir, process.execPath, [OUR_TOOL, 'import', '--dangerous-unverified-import']);
}

function runImport(dataDir, command, args) {
  mkdirSync(dataDir, { recursive: true });
  const chain = ['--regtest', '--fixed-difficulty', '1', '--input-file', RECORDED];
  execFileSync(command, [...args, ...chain, '--data-dir', dataDir], {
    cwd: dataDir,
    stdio: 'ignore',
  });
}
