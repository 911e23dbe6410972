import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHAIN_FILE, chainFacts } from '../chain/fixture.ts';
import { requireProgram } from './binaries.ts';
import { copyFolder, runHome } from './run-folder.ts';
import { startMonerod, waitForSameTip, type Tip } from './monerod.ts';
import { startOurDaemon } from './our-daemon.ts';
import { run } from './processes.ts';
import { waitUntil } from './wait.ts';

/**
 * Returns a copy of a data folder that takes long to create, and its creator's notes. Who asks first in a run creates
 * it: the set-up of the conformance suites for the recorded chain, a suite for what only few need.
 */
export async function prepared<T>(
  name: string,
  make: (folder: string) => Promise<T>,
): Promise<{ folder: string; notes: T }> {
  const folder = join(runHome(), 'prepared', name);
  const done = `${folder}.json`;
  await alone(`${folder}.lock`, async () => {
    if (existsSync(done)) return;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(done, JSON.stringify((await make(folder)) ?? null));
  });
  const notes = JSON.parse(readFileSync(done, 'utf8')) as T;
  return { folder: await copyFolder(folder, name), notes };
}

/** Longest that another suite may take to make what this one waits for, in milliseconds. */
const LOCK_TIMEOUT = 600_000;

/** Runs `work` while holding a lock, which is a folder. */
async function alone(lock: string, work: () => Promise<void>): Promise<void> {
  mkdirSync(dirname(lock), { recursive: true });
  const take = (): boolean => {
    mkdirSync(lock);
    return true;
  };
  await waitUntil(`the lock ${lock}`, take, { timeout: LOCK_TIMEOUT, interval: 500 });
  try {
    await work();
  } finally {
    rmSync(lock, { recursive: true });
  }
}

/**
 * Returns a data folder of monerod with the recorded chain, verified by its own import program. `blocks`
 * is the number of blocks to import, including genesis.
 */
export async function monerodDataWithChain(blocks?: number): Promise<string> {
  const stop = blocks === undefined ? [] : ['--block-stop', String(blocks - 1)];
  const { folder } = await prepared(`monerod-${blocks ?? 'all'}`, (target) =>
    run(
      {
        name: 'monero-blockchain-import',
        program: requireProgram('monero-blockchain-import'),
        cwd: target,
        args: [
          ...['--regtest', '--keep-fakechain', '--fixed-difficulty', '1', '--offline'],
          ...['--data-dir', target, '--input-file', CHAIN_FILE, '--log-level', '0'],
          ...['--disable-dns-checkpoints', '--check-updates', 'disabled'],
          ...stop,
        ],
      },
      300_000,
    ),
  );
  return folder;
}

/** The result of a synchronization of our daemon from monerod. */
export interface SyncNotes {
  tip: Tip;
  seconds: number;
  exitCode: number | null;
  /** The daemon's output. */
  output: string;
}

/** Longest that a synchronization of the whole recorded chain may take, in milliseconds. */
export const SYNC_TIMEOUT = 400_000;

/** Returns a data folder of our daemon with the recorded chain, synchronized from monerod. */
export function ourDataWithChain(): Promise<{ folder: string; notes: SyncNotes }> {
  return prepared('our-daemon-all', async (dataDir) => {
    const monerod = await startMonerod({ dataDir: await monerodDataWithChain() });
    const { height, topId } = chainFacts();
    const began = Date.now();
    const ours = await startOurDaemon({ dataDir, peers: [monerod.p2p] });
    const tip = await waitForSameTip(ours, { height, id: topId }, SYNC_TIMEOUT);
    const seconds = (Date.now() - began) / 1000;
    const exitCode = await ours.stop();
    await monerod.stop();
    return { tip, seconds, exitCode, output: ours.process.output() };
  });
}
