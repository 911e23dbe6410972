import { damaged } from '../errors.ts';
import type { Environment } from '../files/environment.ts';
import { isUint32 } from '../tables/keys.ts';
import type { StoredTx } from '../../records.ts';
import { unpackPrunable } from '../tables/prunable-pack.ts';
import { PackedTxs } from '../tables/tx-pack.ts';

/** Returns the packed transactions of a block, which last until the next read; undefined for a height above the chain. */
export function packedTxsAt(environment: Environment, height: number): PackedTxs | undefined {
  const row = isUint32(height) ? environment.reader('txs', height) : undefined;
  return row && new PackedTxs(row);
}

/**
 * Returns transactions of a block by their positions; none when it is not there or lacks one of them. Throws StorageError `damaged`.
 *
 * All base forms are read before the prunable parts, because a view lasts only until the next read.
 */
export function storedTxsAt(
  environment: Environment,
  height: number,
  positions: readonly number[],
): StoredTx[] {
  const packed = packedTxsAt(environment, height);
  if (packed === undefined || !positions.every((position) => packed.has(position))) return [];
  const halves = positions.map((position) => ({
    id: packed.id(position),
    pruned: packed.pruned(position),
  }));
  const row = environment.view('prunable', height);
  if (row === undefined) throw damaged(`block ${height} is incomplete`);
  return halves.map((half, i) => ({ ...half, ...unpackPrunable(row, positions[i] ?? 0) }));
}
