import { parseTransaction, toHex, transactionToJson } from '@monero-node/codec';
import { visiblePool } from '../chain/visible-pool.ts';
import { defineMethod } from '../method.ts';
import type { PoolTransaction } from '../pool.ts';
import { f, omitDefault } from '../wire/fields.ts';
import { defineTable, type OutputOf } from '../wire/kinds.ts';

const TRANSACTION = defineTable({
  blob_size: f.u64(),
  do_not_relay: f.bool(),
  double_spend_seen: f.bool(),
  fee: f.u64(),
  id_hash: f.hash(),
  kept_by_block: f.bool(),
  last_failed_height: f.u64(),
  last_failed_id_hash: f.hash(),
  last_relayed_time: f.u64(),
  /** The documented name of max_used_block_id_hash; clients know either. */
  max_used_block_hash: f.hash(),
  max_used_block_height: f.u64(),
  max_used_block_id_hash: f.hash(),
  receive_time: f.u64(),
  relayed: f.bool(),
  tx_blob: f.hex(),
  tx_json: f.text(),
  weight: omitDefault(f.u64()),
});
const SPENT = defineTable({ id_hash: f.hash(), txs_hashes: f.hashes() });

/** Time of what has not happened. */
const NEVER = (1n << 64n) - 1n;

/** Served restricted too, as 0.18 does; times are hidden there. */
export const getTransactionPool = defineMethod({
  paths: ['/get_transaction_pool'],
  summary: 'Gives the pool transactions and the key images they spend.',
  restricted: 'served',
  base: 'access',
  request: {},
  response: { spent_key_images: f.objects(SPENT), transactions: f.objects(TRANSACTION) },
  handler: async (_request, context) => {
    const visible = visiblePool(context);
    const transactions = [];
    for (const tx of visible) {
      await context.turn.rest();
      transactions.push(transactionAnswer(tx, context.restricted));
    }
    return { spent_key_images: spentKeyImages(visible), transactions };
  },
});

function transactionAnswer(
  tx: PoolTransaction,
  restricted: boolean,
): OutputOf<(typeof TRANSACTION)['fields']> {
  return {
    blob_size: tx.blob.length,
    do_not_relay: tx.doNotRelay,
    double_spend_seen: tx.doubleSpendSeen,
    fee: tx.fee,
    id_hash: tx.id,
    kept_by_block: tx.keptByBlock,
    last_failed_height: tx.lastFailedHeight,
    last_failed_id_hash: tx.lastFailedId,
    last_relayed_time: restricted ? 0 : (tx.lastRelayedTime ?? NEVER),
    max_used_block_hash: tx.maxUsedBlockId,
    max_used_block_height: tx.maxUsedBlockHeight,
    max_used_block_id_hash: tx.maxUsedBlockId,
    receive_time: restricted ? 0 : tx.receiveTime,
    relayed: tx.relayed,
    tx_blob: tx.blob,
    tx_json: transactionToJson(parseTransaction(tx.blob)),
    weight: tx.weight,
  };
}

function spentKeyImages(
  transactions: readonly PoolTransaction[],
): OutputOf<(typeof SPENT)['fields']>[] {
  const spent = new Map<string, { id_hash: Uint8Array; txs_hashes: Uint8Array[] }>();
  for (const tx of transactions) {
    for (const keyImage of tx.keyImages) {
      const entry = spent.get(toHex(keyImage)) ?? { id_hash: keyImage, txs_hashes: [] };
      entry.txs_hashes.push(tx.id);
      spent.set(toHex(keyImage), entry);
    }
  }
  return [...spent.values()];
}
