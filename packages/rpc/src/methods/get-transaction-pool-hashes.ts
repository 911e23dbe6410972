import { visiblePool } from '../chain/visible-pool.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const getTransactionPoolHashes = defineMethod({
  paths: ['/get_transaction_pool_hashes'],
  summary: 'Lists the ids of pool transactions.',
  restricted: 'served',
  base: 'access',
  request: {},
  response: { tx_hashes: f.hashes() },
  handler: (_request, context) => ({ tx_hashes: visiblePool(context).map((tx) => tx.id) }),
});

/** Despite its name it takes and returns JSON, with the ids as raw bytes in one string. */
export const getTransactionPoolHashesBin = defineMethod({
  paths: ['/get_transaction_pool_hashes.bin'],
  summary:
    'Lists the ids of pool transactions as joined bytes; in spite of its name it takes and gives JSON.',
  restricted: 'served',
  base: 'access',
  request: {},
  response: { tx_hashes: f.hashBlob() },
  handler: (_request, context) => ({ tx_hashes: visiblePool(context).map((tx) => tx.id) }),
});
