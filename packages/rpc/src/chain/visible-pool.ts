import type { RpcContext } from '../context.ts';
import type { PoolTransaction } from '@monero-node/mempool';

/** Pool transactions that the caller may see: on a restricted listener only those the public knows. */
export function visiblePool({ pool, restricted }: RpcContext): readonly PoolTransaction[] {
  const all = pool.transactions();
  return restricted ? all.filter((tx) => tx.broadcast) : all;
}
