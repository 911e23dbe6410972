import { join, resolve } from 'node:path';
import { copyLedger } from '@monero-node/miner';
import { CHAIN_DIR } from '@monero-node/node';
import {
  checkCopy,
  openLmdbStore,
  StorageError,
  type CopyableStore,
  type StoreCopy,
} from '@monero-node/storage';
import { askNodeForCopy } from '../backup/ask-node.ts';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { UsageError } from '../cli/usage-error.ts';
import { mebibytes, StepProgress } from './step-progress.ts';
import { writeDigests } from './write-digests.ts';
import type { StoreTask } from './store-task.ts';
import { fillFolder, flushFolder } from './whole-folder.ts';

/** Folder inside the target that holds a copy until it is complete. */
const INCOMPLETE = 'backup-incomplete';

/**
 * Copies the chain into a folder that can then serve as data directory. A running node makes the copy itself; otherwise the
 * chain is locked meanwhile. The copy appears under its name when it is complete, on the disk and checked. The ledger of the blocks found
 * comes with it, as no other node could tell it again; when that fails, `print` is told so.
 *
 * Throws UsageError without a folder, Error when it is not empty, StorageError, and the reason of the signal.
 */
export async function backupCommand({
  settings,
  own,
  words,
  print,
  signal,
}: StoreTask): Promise<void> {
  const [given, ...more] = words;
  if (given === undefined || more.length > 0) throw new UsageError('backup needs one folder');
  const target = resolve(given);
  const { dataDirSuffix: subfolder } = settings.network;
  const onProgress = new StepProgress('copied', print).update;
  const plan = { target, incomplete: INCOMPLETE, subfolder, name: CHAIN_DIR };
  const made = await fillFolder(plan, async (folder) => {
    const copy = await copyChain(settings, folder, { signal, onProgress });
    await checkCopy(folder, copy);
    if (own.has('digests'))
      await writeDigests(folder, { ...copy, network: settings.network.name, signal, print });
    return copy;
  });
  const place = join(target, subfolder || CHAIN_DIR);
  print(`${made.height} blocks copied to ${place} (${mebibytes(made.size)} MiB)`);
  await addLedger(settings.dataDir, join(target, subfolder), print);
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
