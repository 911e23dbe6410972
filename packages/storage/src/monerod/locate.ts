import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MonerodDatabaseError } from './monerod-database-error.ts';

const FOLDER = 'lmdb';
const DATA_FILE = 'data.mdb';

/**
 * Returns the path of monerod's data file in its data directory, in the folder of its network, or in its `lmdb` folder.
 *
 * Throws MonerodDatabaseError `not-found` when it is in none of them.
 *
 * @param networkFolder name of the network's subfolder of the data directory; '' on mainnet
 */
export function locateMonerodDatabase(directory: string, networkFolder: string): string {
  const base = resolve(directory);
  const path = findMonerodDatabase(join(base, networkFolder)) ?? findMonerodDatabase(base);
  const candidates = [path, join(base, DATA_FILE)];
  const found = candidates.find((candidate) => candidate !== undefined && isFile(candidate));
  if (found !== undefined) return found;
  const expected = join(base, networkFolder, FOLDER, DATA_FILE);
  throw new MonerodDatabaseError(
    'not-found',
    `there is no database of monerod in ${base}: ${expected} does not exist`,
  );
}

/** Returns the path of monerod's data file in the data directory of a network; undefined when it is not there. */
export function findMonerodDatabase(dataDir: string): string | undefined {
  const path = join(dataDir, FOLDER, DATA_FILE);
  return isFile(path) ? path : undefined;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
