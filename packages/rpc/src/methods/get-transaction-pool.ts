import type { Yielder } from '@monero-node/base';
import type { RpcContext } from '../context.ts';
import type { HandlerOf } from '../method.ts';
import { parseTransaction, toHex, transactionToJson } from '@monero-node/codec';
import type { PoolTransaction } from '@monero-node/mempool';
import type { PoolTransactionAnswer, SpentKeyImageAnswer } from '@monero-node/rpc-schema';
import { visiblePool } from '../transactions/visible-pool.ts';

/** Memory of a key image and what spends it; its bytes are the pool's. */
const BYTES_PER_KEY_IMAGE = 200;
/** Time of what has not happened. */
const NEVER = (1n << 64n) - 1n;

/** Served restricted too, as 0.18 does; times are hidden there. */
export const getTransactionPool: HandlerOf<'getTransactionPool'> = async (_request, context) => {
  const visible = visiblePool(context);
  const spent = await spentKeyImages(visible, context.yielder);
  context.holds(spent.length * BYTES_PER_KEY_IMAGE);
  return {
    spent_key_images: spent,
    transactions: transactionAnswers(visible, context),
  };
};

async function* transactionAnswers(
  transactions: readonly PoolTransaction[],
  { restricted, yielder }: RpcContext,
): AsyncGenerator<PoolTransactionAnswer> {
  for (const tx of transactions) {
    await yielder.yieldIfDue();
    yield transactionAnswer(tx, restricted);
  }
}

function transactionAnswer(tx: PoolTransaction, restricted: boolean): PoolTransactionAnswer {
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

async function spentKeyImages(
  transactions: readonly PoolTransaction[],
  yielder: Yielder,
): Promise<SpentKeyImageAnswer[]> {
  const spent = new Map<string, { id_hash: Uint8Array; txs_hashes: Uint8Array[] }>();
  for (const tx of transactions) {
    await yielder.yieldIfDue();
    for (const keyImage of tx.keyImages) {
      const entry = spent.get(toHex(keyImage)) ?? { id_hash: keyImage, txs_hashes: [] };
      entry.txs_hashes.push(tx.id);
      spent.set(toHex(keyImage), entry);
    }
  }
  return [...spent.values()];
}
