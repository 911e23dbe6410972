import type { HandlerOf } from '../method.ts';
import { visiblePool } from '../transactions/visible-pool.ts';

export const getTransactionPoolHashes: HandlerOf<'getTransactionPoolHashes'> = (
  _request,
  context,
) => ({ tx_hashes: visiblePool(context).map((tx) => tx.id) });

/** Despite its name it takes and returns JSON, with the ids as raw bytes in one string. */
export const getTransactionPoolHashesBin: HandlerOf<'getTransactionPoolHashesBin'> = (
  _request,
  context,
) => ({ tx_hashes: visiblePool(context).map((tx) => tx.id) });
