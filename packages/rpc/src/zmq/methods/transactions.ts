import { parseTransaction, toHex, type JsonValue } from '@monero-node/codec';
import { MAX_RESTRICTED_KEY_IMAGES, MAX_RESTRICTED_TRANSACTIONS } from '../../limits.ts';
import type { PoolTransaction } from '@monero-node/mempool';
import { defineZmqMethod, ZmqFailure } from '../method.ts';
import { read } from '../read-json.ts';
import { transactionJson } from '../transaction-json.ts';
import { storedBlob } from './blocks.ts';

/** Height of a transaction that is in no block, and time of what has not happened. */
const NEVER = (1n << 64n) - 1n;

const UNSPENT = 0;
const SPENT_ON_CHAIN = 1;
const SPENT_IN_POOL = 2;

/** Of the pool only what the public knows is shown, whoever asks. */
export const getTransactions = defineZmqMethod({
  name: 'get_transactions',
  params: { tx_hashes: read.hashes },
  handler: async ({ tx_hashes: ids }, { chain, pool, restricted, yielder }) => {
    if (restricted && ids.length > MAX_RESTRICTED_TRANSACTIONS) {
      throw new ZmqFailure('Too many transactions requested in restricted mode');
    }
    const txs: Record<string, JsonValue> = {};
    const missed = new Set<string>();
    for (const id of ids) {
      await yielder.yieldIfDue();
      const place = chain.store.txLocation(id);
      const waiting = place === undefined ? pool.transaction(id) : undefined;
      const blob =
        place !== undefined
          ? storedBlob(chain, place)
          : waiting?.broadcast === true
            ? waiting.blob
            : undefined;
      if (blob === undefined) {
        missed.add(toHex(id));
        continue;
      }
      txs[toHex(id)] = {
        height: place?.height ?? NEVER,
        in_pool: place === undefined,
        transaction: transactionJson(parseTransaction(blob).tx),
      };
    }
    return { txs, missed_hashes: [...missed] };
  },
});

export const keyImagesSpent = defineZmqMethod({
  name: 'key_images_spent',
  params: { key_images: read.hashes },
  handler: async ({ key_images: images }, { chain, pool, restricted, yielder }) => {
    if (restricted && images.length > MAX_RESTRICTED_KEY_IMAGES) {
      throw new ZmqFailure('Too many key images queried in restricted mode');
    }
    const status: number[] = [];
    for (const image of images) {
      await yielder.yieldIfDue();
      if (chain.store.keyImageHeight(image) !== undefined) status.push(SPENT_ON_CHAIN);
      else status.push(pool.isSpent(image) ? SPENT_IN_POOL : UNSPENT);
    }
    return { spent_status: status };
  },
});

export const getTransactionPool = defineZmqMethod({
  name: 'get_transaction_pool',
  params: {},
  handler: async (_params, { pool, restricted, yielder }) => {
    const visible = pool.transactions().filter((tx) => tx.broadcast);
    const transactions: JsonValue[] = [];
    const keyImages: Record<string, JsonValue[]> = {};
    for (const tx of visible) {
      await yielder.yieldIfDue();
      transactions.push(poolTransactionJson(tx, restricted));
      for (const image of tx.keyImages) (keyImages[toHex(image)] ??= []).push(toHex(tx.id));
    }
    return { transactions, key_images: keyImages };
  },
});

function poolTransactionJson(tx: PoolTransaction, restricted: boolean): JsonValue {
  return {
    tx: transactionJson(parseTransaction(tx.blob).tx),
    tx_hash: toHex(tx.id),
    blob_size: tx.blob.length,
    weight: tx.weight,
    fee: tx.fee,
    max_used_block_hash: toHex(tx.maxUsedBlockId),
    max_used_block_height: tx.maxUsedBlockHeight,
    kept_by_block: tx.keptByBlock,
    last_failed_block_hash: toHex(tx.lastFailedId),
    last_failed_block_height: tx.lastFailedHeight,
    // Times would tell strangers which transactions this node was the first to know.
    receive_time: restricted ? 0 : tx.receiveTime,
    last_relayed_time: restricted ? 0 : (tx.lastRelayedTime ?? NEVER),
    relayed: tx.relayed,
    do_not_relay: tx.doNotRelay,
    double_spend_seen: tx.doubleSpendSeen,
  };
}
