import { rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHAIN_DIR } from '@monero-node/node';
import { compactStore } from '@monero-node/storage';
import { UsageError } from '../cli/usage-error.ts';
import { mebibytes, StepProgress } from './step-progress.ts';
import type { StoreTask } from './store-task.ts';

/** Milliseconds between two looks at the size of the copy. */
const INTERVAL = 500;

/** Replaces the data file of a chain at rest by one without free pages. Throws UsageError and StorageError. */
export async function compactCommand({ settings, words, print, signal }: StoreTask): Promise<void> {
  if (words.length > 0) throw new UsageError(`unexpected '${words.join(' ')}'`);
  let timer: NodeJS.Timeout | undefined;
  const progress = new StepProgress('copied', print);
  const onStart = (copy: string, size: number) => {
    timer = setInterval(() => {
      progress.update(statSync(copy, { throwIfNoEntry: false })?.size ?? 0, size);
    }, INTERVAL);
    signal.addEventListener('abort', () => endNow(dirname(copy)));
  };
  try {
    const { before, after } = await compactStore(join(settings.dataDir, CHAIN_DIR), { onStart });
    print(`compacted from ${mebibytes(before)} MiB to ${mebibytes(after)} MiB`);
  } finally {
    clearInterval(timer);
  }
}

/** Ends the process by the signal itself: LMDB's thread cannot be stopped, and an orderly end would wait for it. */
function endNow(copyFolder: string): void {
  rmSync(copyFolder, { recursive: true, force: true });
  process.stderr.write('interrupted\n');
  process.removeAllListeners('SIGINT');
  process.kill(process.pid, 'SIGINT');
}
