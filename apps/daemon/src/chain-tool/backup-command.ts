import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { copyLedger } from '@monero-node/miner';
import { CHAIN_DIR } from '@monero-node/node';
import {
  checkCopy,
  makeFolder,
  openLmdbStore,
  StorageError,
  type CopyableStore,
  type StoreCopy,
} from '@monero-node/storage';
import { askNodeForCopy } from '../backup/ask-node.ts';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { UsageError } from '../cli/usage-error.ts';
import { mebibytes, StepProgress } from './step-progress.ts';
import type { StoreTask } from './store-task.ts';

/** Permissions of the folders of a copy, as of a data directory. */
const OWNER_ONLY = 0o700;
/** Folder inside the target that holds a copy until it is complete. */
const INCOMPLETE = 'backup-incomplete';

/**
 * Copies the chain into a folder that can then serve as data directory. A running node makes the copy itself; otherwise the
 * chain is locked meanwhile. The copy appears under its name when it is complete, on the disk and checked. The ledger of the blocks found
 * comes with it, as no other node could tell it again; when that fails, `print` is told so.
 *
 * Throws UsageError without a folder, Error when it is not empty, StorageError, and the reason of the signal.
 */
export async function backupCommand({ settings, words, print, signal }: StoreTask): Promise<void> {
  const [given, ...more] = words;
  if (given === undefined || more.length > 0) throw new UsageError('backup needs one folder');
  const target = resolve(given);
  const incomplete = join(target, INCOMPLETE);
  prepareTarget(target, incomplete);
  const name = settings.network.dataDirSuffix || CHAIN_DIR;
  const folder = join(incomplete, settings.network.dataDirSuffix, CHAIN_DIR);
  const onProgress = new StepProgress('copied', print).update;
  try {
    makeFolder(dirname(folder), OWNER_ONLY);
    const copy = await copyChain(settings, folder, { signal, onProgress });
    await checkCopy(folder, copy);
    for (let path = folder; path !== incomplete; path = dirname(path)) await flushFolder(path);
    renameSync(join(incomplete, name), join(target, name));
    rmdirSync(incomplete);
    await flushFolder(target);
    print(`${copy.height} blocks copied to ${join(target, name)} (${mebibytes(copy.size)} MiB)`);
    await addLedger(settings.dataDir, join(target, settings.network.dataDirSuffix), print);
  } catch (error) {
    rmSync(incomplete, { recursive: true, force: true });
    throw error;
  }
}

/** Adds the ledger to a copy of the chain, after it: blocks that are found meanwhile are in it. */
async function addLedger(
  dataDir: string,
  folder: string,
  print: (line: string) => void,
): Promise<void> {
  try {
    if (!copyLedger(dataDir, folder)) return;
    await flushFolder(folder);
    print('the ledger of the blocks found is copied too');
  } catch (error) {
    print(`the ledger of the blocks found is not in the copy: ${(error as Error).message}`);
  }
}

/** Removes what a killed backup left. Throws Error when the folder holds anything else. */
function prepareTarget(target: string, incomplete: string): void {
  const others = existsSync(target)
    ? readdirSync(target).filter((name) => name !== INCOMPLETE && name !== 'lost+found')
    : [];
  if (others.length > 0)
    throw new Error(`${target} is not empty (${others[0] ?? ''}): choose a new or empty folder`);
  rmSync(incomplete, { recursive: true, force: true });
  makeFolder(incomplete, OWNER_ONLY);
}

interface CopyOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

async function copyChain(
  { dataDir }: DaemonSettings,
  folder: string,
  options: CopyOptions,
): Promise<StoreCopy> {
  const path = join(dataDir, CHAIN_DIR);
  let store: CopyableStore;
  try {
    store = await openLmdbStore({ path, readOnly: true, exclusive: true });
  } catch (error) {
    const isUsed = error instanceof StorageError && error.code === 'locked';
    if (!isUsed) throw error;
    return askNodeForCopy(dataDir, folder, options);
  }
  try {
    return await store.copyTo(folder, options);
  } finally {
    await store.close();
  }
}

/** Waits until the names in a folder are on the disk. Systems that cannot flush a folder, such as Windows, do without. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
