import type { PoolTransaction } from '@monero-node/mempool';
import type { RpcPool } from '../pool.ts';

/** The pool and who looks at it. */
export interface PoolView {
  readonly pool: RpcPool;
  /** The call came to a listener that hides private transactions. */
  readonly restricted: boolean;
}

/** Pool transactions that the caller may see: on a restricted listener only those the public knows. */
export function visiblePool({ pool, restricted }: PoolView): readonly PoolTransaction[] {
  const all = pool.transactions();
  return restricted ? all.filter((tx) => tx.broadcast) : all;
}
