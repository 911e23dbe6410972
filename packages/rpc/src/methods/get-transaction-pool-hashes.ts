import type { HandlerOf } from '../method.ts';
import { visiblePool } from '../transactions/visible-pool.ts';

/** Returns the 32-byte ids of the pool transactions that the caller may see. */
export const getTransactionPoolHashes: HandlerOf<'getTransactionPoolHashes'> = (
  _request,
  context,
) => ({ tx_hashes: visiblePool(context).map((tx) => tx.id) });

/** Returns the same ids as raw bytes in one JSON string; despite its name it takes and returns JSON. */
export const getTransactionPoolHashesBin: HandlerOf<'getTransactionPoolHashesBin'> = (
  _request,
  context,
) => ({ tx_hashes: visiblePool(context).map((tx) => tx.id) });
