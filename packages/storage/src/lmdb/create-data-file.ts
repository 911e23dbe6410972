import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { openEnvironment } from './files/environment.ts';
import { DATA_FILE } from './files/file-names.ts';
import { LOCK_FILE_PREFIX } from './files/process-lock.ts';
import { prepareSchema } from './schema.ts';

/** Folder in which the data file is made. A process that is killed meanwhile leaves it, and the next one removes it. */
const MAKING = 'new';

/**
 * Makes the data file of a new store with its tables, in one step: it is made elsewhere and renamed. A data file
 * that is empty therefore was not left by a process that was killed while it made the file.
 *
 * Throws the error of the system, or StorageError `io`.
 */
export async function createDataFile(
  directory: string,
  onNotice?: (sentence: string) => void,
): Promise<void> {
  const others = foreignFiles(directory);
  if (others.length > 0) {
    const names = others.slice(0, 5).join(', ');
    const more = others.length > 5 ? ', …' : '';
    onNotice?.(
      `${directory} has no ${DATA_FILE} but other files (${names}${more}): a new chain begins there`,
    );
  }
  const making = join(directory, MAKING);
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making);
  try {
    const environment = openEnvironment({ path: making, syncMode: 'fastest', readOnly: false });
    try {
      await prepareSchema(environment);
    } finally {
      await environment.close();
    }
    flush(join(making, DATA_FILE));
    renameSync(join(making, DATA_FILE), join(directory, DATA_FILE));
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Returns the names in the folder that a new store does not make. */
function foreignFiles(directory: string): string[] {
  return readdirSync(directory).filter(
    (name) => name !== MAKING && !name.startsWith(LOCK_FILE_PREFIX),
  );
}

/** Waits until a file is on the disk, so that its new name cannot be there before its contents after a power cut. */
function flush(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
