import type { Yielder } from '@monero-node/base';
import { type JsonValue, parseTransaction, toHex } from '@monero-node/codec';
import type { PoolTransaction } from '@monero-node/mempool';
import { MAX_RESTRICTED_KEY_IMAGES, MAX_RESTRICTED_TRANSACTIONS } from '@monero-node/rpc/shared';
import { defineZmqMethod, type ZmqContext, ZmqFailure } from '../method.ts';
import { read } from '../read-json.ts';
import { transactionJson } from '../transaction-json.ts';
import { LazyMembers } from '../write-json.ts';
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
  handler: ({ tx_hashes: ids }, context) => {
    if (context.restricted && ids.length > MAX_RESTRICTED_TRANSACTIONS) {
      throw new ZmqFailure('Too many transactions requested in restricted mode');
    }
    // Written after the transactions, and so after the last was looked for.
    const missed: string[] = [];
    return {
      txs: new LazyMembers(transactionMembers(ids, missed, context)),
      missed_hashes: missed,
    };
  },
});

/** The transactions found, each once, under their ids; adds the ids of the others to `missed`. */
async function* transactionMembers(
  ids: readonly Uint8Array[],
  missed: string[],
  { services: { chain, pool }, yielder }: ZmqContext,
): AsyncGenerator<readonly [string, JsonValue]> {
  const seen = new Set<string>();
  for (const id of ids) {
    await yielder.yieldIfDue();
    const hex = toHex(id);
    if (seen.has(hex)) continue;
    seen.add(hex);
    const place = chain.store.txLocation(id);
    const waiting = place === undefined ? pool.transaction(id) : undefined;
    const inPool = waiting?.broadcast === true ? waiting.blob : undefined;
    const blob = place === undefined ? inPool : storedBlob(chain, place);
    if (blob === undefined) {
      missed.push(hex);
      continue;
    }
    const transaction = transactionJson(parseTransaction(blob).tx);
    yield [hex, { height: place?.height ?? NEVER, in_pool: place === undefined, transaction }];
  }
}

export const keyImagesSpent = defineZmqMethod({
  name: 'key_images_spent',
  params: { key_images: read.hashes },
  handler: async ({ key_images: images }, { services: { chain, pool }, restricted, yielder }) => {
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
  handler: async (_params, { services: { pool }, restricted, yielder }) => {
    const visible = pool.transactions().filter((tx) => tx.broadcast);
    const keyImages: Record<string, JsonValue[]> = {};
    for (const tx of visible) {
      await yielder.yieldIfDue();
      for (const image of tx.keyImages) (keyImages[toHex(image)] ??= []).push(toHex(tx.id));
    }
    return {
      transactions: poolTransactions(visible, restricted, yielder),
      key_images: keyImages,
    };
  },
});

async function* poolTransactions(
  transactions: readonly PoolTransaction[],
  restricted: boolean,
  yielder: Yielder,
): AsyncGenerator<JsonValue> {
  for (const tx of transactions) {
    await yielder.yieldIfDue();
    yield poolTransactionJson(tx, restricted);
  }
}

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
