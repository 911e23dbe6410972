// Run as a process of its own: store-child.ts append|hold <directory> <sync mode>
import { writeSync } from 'node:fs';
import type { SyncMode } from '../lmdb/options.ts';
import { openLmdbStore } from '../lmdb/open.ts';
import { StorageError } from '../storage-error.ts';
import { numberedChange } from './numbered-chain.ts';
import { Random } from './random-chain.ts';

const [, , task, path = '', syncMode] = process.argv;

/** Written at once: what has been reported survives the process. */
function report(line: string): void {
  writeSync(1, `${line}\n`);
}

try {
  // Few hashes wait, so that a kill may also meet the writing of those that waited.
  const store = await openLmdbStore({
    path,
    syncMode: syncMode as SyncMode,
    waitingHashes: 100,
    onFailure: ({ systemCode }) => report(`failure ${systemCode}`),
  });
  report(`height ${store.height}`);
  if (task === 'hold') setInterval(() => undefined, 1000);
  const random = new Random(`child ${process.pid}`);
  while (task === 'append') {
    const popTo = Math.max(0, store.height - random.below(4));
    await store.commit(numberedChange(store.height, popTo, store.height + 1 + random.below(4)));
    report(`height ${store.height}`);
  }
} catch (error) {
  report(
    error instanceof StorageError
      ? `error ${error.code} ${error.message}`
      : `error ${String(error)}`,
  );
}
