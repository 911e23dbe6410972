import { createBreather } from '../breather.ts';
import type { Environment } from './environment.ts';
import { damaged } from './errors.ts';
import { keyAfter } from './keys.ts';
import { TABLE_NAMES, type TableKey, type TableName } from './tables.ts';

const ROWS_PER_READ = 64;
/** No page is smaller. */
const SHORTEST_GAP = 4096;

/**
 * Reads every row, to find out whether pages that were missing from the data file (and are zeros now)
 * belonged to something. LMDB itself refuses a zero page in a tree; a value that went over several
 * pages shows it by its zeros at the end.
 * @throws StorageError `damaged`
 */
export async function auditTables(environment: Environment): Promise<void> {
  const breather = createBreather();
  for (const table of TABLE_NAMES) {
    let start: TableKey | undefined;
    for (;;) {
      const rows = environment.rows(table, ROWS_PER_READ, start);
      for (const { value } of rows) checkTail(table, value);
      const last = rows.at(-1);
      if (last === undefined) break;
      start = keyAfter(last.key);
      await breather.pause();
    }
  }
}

function checkTail(table: TableName, value: Uint8Array): void {
  if (value.length < SHORTEST_GAP) return;
  if (value.subarray(-SHORTEST_GAP).every((byte) => byte === 0)) {
    throw damaged(`the end of a row of table ${table} is missing`);
  }
}
