import { chainHeight } from '../lmdb/files/chain-height.ts';
import { openEnvironment, type Environment } from '../lmdb/files/environment.ts';
import type { HashTable } from '../lmdb/hashes/hash-state.ts';
import { bucketOf, RecentBucket, RECENT_TABLES } from '../lmdb/hashes/recent-bucket.ts';
import { PackedTxs } from '../lmdb/tables/tx-pack.ts';

/**
 * Returns the rows that the hash tables of a store and the recent ones hold, and those they must hold: exactly the hashes
 * of blocks below the height that `hash_slice` records for their slice.
 */
export function hashRows(path: string): { held: string[]; due: string[] } {
  const environment = openEnvironment({ path, syncMode: 'fast', readOnly: true });
  try {
    const written = new Map(
      environment.rows('hash_slice', 256).map(({ key, value }) => [Number(key), u32(value)]),
    );
    const due = Array.from({ length: chainHeight(environment) }, (_, height) =>
      rowsOfBlock(environment, height).filter(
        ({ hash }) => height < (written.get(hash[0] ?? 0) ?? 0),
      ),
    ).flat();
    const held = (['tx_id', 'key_image'] as const).flatMap((table) => [
      ...environment
        .rows(table, Infinity)
        .map(({ key, value }) => `${table} ${hex(key)} ${hex(value)}`),
      ...recentRows(environment, table),
    ]);
    return { held: held.sort(), due: due.map(({ line }) => line).sort() };
  } finally {
    void environment.close();
  }
}

/** Returns the rows that are collected for a table, each in the bucket that its hash belongs to. */
function recentRows(environment: Environment, table: HashTable): string[] {
  return environment.rows(RECENT_TABLES[table], Infinity).flatMap(({ key, value }) => {
    const bucket = new RecentBucket(table, value);
    return Array.from({ length: bucket.size }, (_, i) => {
      const entry = bucket.entry(i);
      const place = bucketOf(entry.hash) === key ? '' : ' in the wrong bucket';
      return `${table} ${hex(entry.hash)} ${hex(entry.value)}${place}`;
    });
  });
}

function rowsOfBlock(
  environment: Environment,
  height: number,
): { hash: Uint8Array; line: string }[] {
  const row = environment.get('txs', height);
  if (row === undefined) throw new Error(`block ${height} is missing`);
  const packed = new PackedTxs(row);
  const place = hex(new Uint8Array(Uint32Array.of(height).buffer));
  const ids = Array.from({ length: packed.txCount }, (_, position) => {
    const hash = packed.id(position);
    const at = hex(new Uint8Array(Uint32Array.of(position).buffer));
    return { hash, line: `tx_id ${hex(hash)} ${place}${at}` };
  });
  const images = packed
    .keyImages()
    .map((hash) => ({ hash, line: `key_image ${hex(hash)} ${place}` }));
  return [...ids, ...images];
}

function u32(value: Uint8Array): number {
  return new DataView(value.buffer, value.byteOffset).getUint32(0, true);
}

function hex(bytes: number | Uint8Array): string {
  return typeof bytes === 'number' ? String(bytes) : Buffer.from(bytes).toString('hex');
}
