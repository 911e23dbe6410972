import { once } from 'node:events';
import { watch } from 'node:fs';
import { guardEmitter } from '@monero-node/base';

/** Resolves with what `look` finds, which is asked now and after each change in a folder until it returns something. */
export async function whenChanged<Found>(
  folder: string,
  look: () => Found | undefined,
): Promise<Found> {
  const watcher = guardEmitter(watch(folder));
  try {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await once(watcher, 'change');
    }
  } finally {
    watcher.close();
  }
}
