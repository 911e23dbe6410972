import { join } from 'node:path';
import { StorageError } from '../../storage-error.ts';
import { inspectDataFile } from './data-file.ts';
import { openEnvironment, type Environment } from './environment.ts';
import { DATA_FILE } from './file-names.ts';
import { damaged } from '../errors.ts';

/**
 * Opens the database in a folder for reading. No other process may write to it meanwhile. Its schema is not checked.
 *
 * Throws StorageError `io`, `damaged`, or `read-only` when an older version of the program wrote the database.
 */
export function openForReading(path: string): Environment {
  const file = inspectDataFile(join(path, DATA_FILE));
  if (!file.exists || file.empty) throw new StorageError('io', `there is no store in ${path}`);
  if (file.missing > 0)
    throw damaged(`the end of ${path} is missing; opening it for writing checks it`);
  return openEnvironment({ path, syncMode: 'fast', readOnly: true });
}
