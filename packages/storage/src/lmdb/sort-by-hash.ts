import type { WriteOp } from './tables.ts';

const MAX_OPS = 2 ** 21;

/**
 * Operations on a table of hashes, ordered by the first four bytes of their keys: neighbours in the
 * tree are then written one after the other. Any order would be correct.
 */
export function sortByHash(ops: readonly WriteOp[]): readonly WriteOp[] {
  if (ops.length > MAX_OPS) return ops;
  // 32 bits of key and 21 bits of position fit a double, and doubles sort natively.
  const order = Float64Array.from(ops, ({ key }, position) => prefixOf(key) * MAX_OPS + position);
  order.sort();
  const sorted: WriteOp[] = [];
  for (const entry of order) {
    const op = ops[entry % MAX_OPS];
    if (op !== undefined) sorted.push(op);
  }
  return sorted;
}

function prefixOf(key: WriteOp['key']): number {
  if (typeof key === 'number') return key;
  const [a = 0, b = 0, c = 0, d = 0] = key;
  return ((a * 256 + b) * 256 + c) * 256 + d;
}
