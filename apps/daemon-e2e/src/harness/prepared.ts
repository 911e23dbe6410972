import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHAIN_FILE } from '../chain/fixture.ts';
import { requireProgram } from './binaries.ts';
import { copyFolder, runHome } from './home.ts';
import { run } from './processes.ts';

/**
 * A copy of a data folder that takes long to make. It is made once a run, by whichever suite asks
 * first; later suites get copies of that. Suites run one after the other, so nothing is locked.
 */
async function prepared(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(runHome(), 'prepared', name);
  const done = `${folder}.done`;
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true });
    await make(folder);
    writeFileSync(done, '');
  }
  return copyFolder(folder, name);
}

/**
 * Data folder for the real monerod holding the recorded chain, every block verified by its own
 * import program. `blocks` cuts the chain after that many blocks, genesis included.
 */
export function monerodDataWithChain(blocks?: number): Promise<string> {
  const stop = blocks === undefined ? [] : ['--block-stop', String(blocks - 1)];
  return prepared(`monerod-${blocks ?? 'all'}`, async (folder) => {
    await run(
      {
        name: 'monero-blockchain-import',
        program: requireProgram('monero-blockchain-import'),
        cwd: folder,
        args: [
          ...['--regtest', '--keep-fakechain', '--fixed-difficulty', '1', '--offline'],
          ...['--data-dir', folder, '--input-file', CHAIN_FILE, '--log-level', '0'],
          ...['--disable-dns-checkpoints', '--check-updates', 'disabled'],
          ...stop,
        ],
      },
      300_000,
    );
  });
}

/** Data folder of our daemon after it synchronized the recorded chain; `make` does that. */
export function ourDataWithChain(make: (folder: string) => Promise<void>): Promise<string> {
  return prepared('our-daemon-all', make);
}
