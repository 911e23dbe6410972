import type { PoolTransaction } from '@monero-node/mempool';
import type { RpcPool } from '../pool.ts';

/** The pool and who looks at it. */
export interface PoolView {
  readonly services: { readonly pool: RpcPool };
  /** The call came to a listener that hides private transactions. */
  readonly restricted: boolean;
}

/** Milliseconds for which a call waits for transactions of removed blocks at most: an operator may remove a thousand blocks. */
const RETURN_MS = 5000;

/**
 * Resolves when the pool has what the chain has lost, or after five seconds. A wallet that learns of a reorganization takes its own payments for
 * undone unless it finds them in the pool, and pays with the same outputs again. monerod holds the lock of both meanwhile.
 */
export async function returnedToPool(
  { returning }: Pick<RpcPool, 'returning'>,
  resting: (work: Promise<void>) => Promise<void> = (work) => work,
): Promise<void> {
  if (returning === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, RETURN_MS);
  });
  try {
    await resting(Promise.race([returning, late]));
  } finally {
    clearTimeout(timer);
  }
}

/** Pool transactions that the caller may see: on a restricted listener only those the public knows. */
export function visiblePool({ services, restricted }: PoolView): readonly PoolTransaction[] {
  const all = services.pool.transactions();
  return restricted ? all.filter((tx) => tx.broadcast) : all;
}
