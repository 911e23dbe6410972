import type { PoolChanges, PoolTransaction } from '@monero-node/mempool';

/** Most transactions, removed ids and bytes of transactions that one message to a worker holds. */
const MAX_ADDED = 100;
const MAX_REMOVED = 10_000;
const MAX_WEIGHT = 1024 * 1024;

/**
 * Returns changes of the pool as plain data, which can be sent to a worker. Returns undefined when there are too many: copying
 * a full pool would hold the event loop, and each client may ask for it. The main process then answers the call.
 */
export function sentChanges({ incremental, added, removed }: PoolChanges): PoolChanges | undefined {
  if (added.length > MAX_ADDED || removed.length > MAX_REMOVED) return undefined;
  if (added.reduce((sum, { weight }) => sum + weight, 0) > MAX_WEIGHT) return undefined;
  return { incremental, removed, added: added.map(sentTransaction) };
}

/** Returns a pool transaction as plain data, which can be sent to another process. */
function sentTransaction(tx: PoolTransaction): PoolTransaction {
  return {
    id: tx.id,
    blob: tx.blob,
    weight: tx.weight,
    fee: tx.fee,
    receiveTime: tx.receiveTime,
    lastRelayedTime: tx.lastRelayedTime,
    relayed: tx.relayed,
    doNotRelay: tx.doNotRelay,
    keptByBlock: tx.keptByBlock,
    doubleSpendSeen: tx.doubleSpendSeen,
    maxUsedBlockHeight: tx.maxUsedBlockHeight,
    maxUsedBlockId: tx.maxUsedBlockId,
    lastFailedHeight: tx.lastFailedHeight,
    lastFailedId: tx.lastFailedId,
    broadcast: tx.broadcast,
    keyImages: tx.keyImages,
    relay: tx.relay,
  };
}
