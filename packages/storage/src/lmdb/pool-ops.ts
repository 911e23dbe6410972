import type { PoolChange } from '../pool-store.ts';
import type { Environment } from './environment.ts';
import { encodePoolMeta } from './pool-row.ts';
import type { WriteOp } from './tables.ts';

/** Returns the pool's rows that a checked change writes and removes, in order. */
export function poolOps(
  environment: Environment,
  { removePool = [], putPool = [], updatePool = [] }: PoolChange,
): WriteOp[] {
  const ops: WriteOp[] = [];
  /** Ids that the change itself adds (true) or removes (false). */
  const present = new Map<string, boolean>();
  for (const id of removePool) {
    present.set(keyOf(id), false);
    ops.push({ table: 'pool_tx', key: id }, { table: 'pool_meta', key: id });
  }
  for (const { id, blob, meta } of putPool) {
    present.set(keyOf(id), true);
    ops.push({ table: 'pool_tx', key: id, value: blob.slice() });
    ops.push({ table: 'pool_meta', key: id, value: encodePoolMeta(meta) });
  }
  for (const { id, meta } of updatePool) {
    if (!(present.get(keyOf(id)) ?? environment.has('pool_meta', id))) continue;
    ops.push({ table: 'pool_meta', key: id, value: encodePoolMeta(meta) });
  }
  return ops;
}

function keyOf(id: Uint8Array): string {
  return Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('latin1');
}
