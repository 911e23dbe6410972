import type { Yielder } from '@monero-node/base';
import type { HandlerOf } from '../method.ts';
import { visiblePool, type PoolView } from '../transactions/visible-pool.ts';

/** Transactions between two looks at the clock. */
const STEP = 256;

/** Returns the 32-byte ids of the pool transactions that the caller may see. */
async function visibleIds(view: PoolView & { yielder: Yielder }): Promise<Uint8Array[]> {
  const ids: Uint8Array[] = [];
  for (const [i, tx] of visiblePool(view).entries()) {
    if (i % STEP === 0) await view.yielder.yieldIfDue();
    ids.push(tx.id);
  }
  return ids;
}

/** Returns the ids as hex. */
export const getTransactionPoolHashes: HandlerOf<'getTransactionPoolHashes'> = async (
  _request,
  context,
) => ({ tx_hashes: await visibleIds(context) });

/** Returns the ids as raw bytes in one JSON string; despite its name it takes and returns JSON. */
export const getTransactionPoolHashesBin: HandlerOf<'getTransactionPoolHashesBin'> = async (
  _request,
  context,
) => ({ tx_hashes: await visibleIds(context) });
