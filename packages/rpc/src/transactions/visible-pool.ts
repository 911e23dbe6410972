import type { PoolTransaction } from '@monero-node/mempool';
import type { RpcPool } from '../pool.ts';

/** The pool and who looks at it. */
export interface PoolView {
  readonly services: { readonly pool: RpcPool };
  /** The call came to a listener that hides private transactions. */
  readonly restricted: boolean;
}

/** Pool transactions that the caller may see: on a restricted listener only those the public knows. */
export function visiblePool({ services, restricted }: PoolView): readonly PoolTransaction[] {
  const all = services.pool.transactions();
  return restricted ? all.filter((tx) => tx.broadcast) : all;
}
