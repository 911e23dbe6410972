import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { byHash, byNumber } from './comparisons.ts';
import { MonerodDatabaseError } from './monerod-database-error.ts';
import { PagedFile } from './paged-file.ts';
import { openTables, ROW_BYTES } from './tables.ts';

const recorded = new URL('../../fixtures/monerod/10-blocks.mdb.gz', import.meta.url);

export const maxLength = 160_000;
export const seeds = [new Uint8Array(gunzipSync(readFileSync(recorded)))];

function readAll(file: Buffer): void {
  const bytes = {
    size: file.length,
    read: (position: number, length: number) => file.subarray(position, position + length),
    close: () => undefined,
  };
  const tables = openTables(new PagedFile(bytes));
  for (let height = 0; height < Math.min(20, tables.height); height++) {
    tables.blocks.value(byNumber(height));
    const info = tables.blockInfo.find(byNumber(height));
    if (info !== undefined) tables.blockHeights.find(byHash(info.subarray(48, 80)));
  }
  for (let number = 0; number < Math.min(20, tables.txCount); number++) {
    tables.txsPruned.value(byNumber(number));
    tables.txsPrunable.value(byNumber(number));
    tables.txsPrunableHash.rows(byNumber(number), ROW_BYTES.prunableHash)?.only();
  }
}

/** A file that was changed is read or refused with MonerodDatabaseError. */
export function fuzz(input: Uint8Array): void {
  try {
    readAll(Buffer.from(input));
  } catch (error) {
    if (!(error instanceof MonerodDatabaseError)) throw error;
  }
}
