import { openEnvironment, type Environment } from '../lmdb/files/environment.ts';
import { TABLE_NAMES } from '../lmdb/tables/tables.ts';

/** Every row of every table of the store in a directory (which may be open), one line each. */
export function rawDump(path: string): string[] {
  const environment = openEnvironment({ path, syncMode: 'fast', readOnly: true });
  try {
    return dumpEnvironment(environment);
  } finally {
    void environment.close();
  }
}

export function dumpEnvironment(environment: Environment): string[] {
  return TABLE_NAMES.flatMap((table) =>
    environment.rows(table, Infinity).map(({ key, value }) => {
      const keyText = typeof key === 'number' ? String(key) : Buffer.from(key).toString('hex');
      return `${table} ${keyText} ${Buffer.from(value).toString('hex')}`;
    }),
  );
}
