import { dirname, join } from 'node:path';
import { writeExtendedChain, type ExtendedChain } from '../chain/extend.ts';
import { OUR_DAEMON, requireProgram } from './binaries.ts';
import { runHome } from './run-folder.ts';
import { prepared } from './prepared-chains.ts';
import { run } from './processes.ts';

/** Number of empty blocks on top of the recorded chain, which make its transactions old enough to be pruned. */
const MORE = 5600;
const NETWORK = ['--regtest', '--fixed-difficulty', '1'];
/** Milliseconds. monero-blockchain-import waits 90 seconds before it imports without verification. */
const IMPORT_TIMEOUT = 300_000;

/** Returns a bootstrap file of the recorded chain with thousands of empty blocks on top. */
export function longChain(): { file: string; chain: ExtendedChain } {
  const file = join(runHome(), 'long-chain.raw');
  return { file, chain: writeExtendedChain(file, MORE) };
}

/** Returns a data folder of monerod with the long chain, imported without verification. */
export async function monerodDataWithLongChain(): Promise<string> {
  const { folder } = await prepared('monerod-long', (target) =>
    run(
      {
        name: 'monero-blockchain-import',
        program: requireProgram('monero-blockchain-import'),
        cwd: target,
        args: [
          ...['--keep-fakechain', '--offline', ...NETWORK, '--data-dir', target],
          ...['--input-file', longChain().file, '--log-level', '0'],
          ...['--disable-dns-checkpoints', '--check-updates', 'disabled'],
          ...['--dangerous-unverified-import', '1'],
        ],
      },
      IMPORT_TIMEOUT,
    ),
  );
  return folder;
}

/** Runs our chain tool. */
async function ourTool(dataDir: string, command: string, ...args: string[]): Promise<void> {
  const tool = join(dirname(OUR_DAEMON), 'chain-tool.js');
  await run(
    {
      name: `chain-${command}`,
      program: process.execPath,
      cwd: dataDir,
      args: [tool, command, ...NETWORK, '--data-dir', dataDir, ...args],
      env: { NODE_OPTIONS: '' },
    },
    IMPORT_TIMEOUT,
  );
}

/** Name of the file of block hashes in a folder made by {@link ourDataWithLongChain}. */
export const HASHES = 'hashes.dat';

/** Returns a data folder of our daemon with the long chain and a file with the hashes of its blocks. */
export async function ourDataWithLongChain(): Promise<string> {
  const { folder } = await prepared('our-daemon-long', async (target) => {
    const trust = '--dangerous-unverified-import';
    await ourTool(target, 'import', '--input-file', longChain().file, trust);
    await ourTool(target, 'block-hashes', '--output-file', join(target, HASHES));
  });
  return folder;
}
