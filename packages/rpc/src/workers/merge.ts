import type { PoolTransaction } from '@monero-node/mempool';
import type { MethodUsage } from '../context.ts';

/** Adds the uses of methods in a worker to those of this process. */
export function addUses(
  usage: Map<string, MethodUsage>,
  uses: readonly { readonly name: string; readonly count: number; readonly time: number }[],
): void {
  for (const { name, count, time } of uses) {
    const used = usage.get(name) ?? { count: 0, time: 0 };
    usage.set(name, { count: used.count + count, time: used.time + time });
  }
}

/** Returns a pool transaction as plain data, which can be sent to another process. */
export function sentTransaction(tx: PoolTransaction): PoolTransaction {
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
