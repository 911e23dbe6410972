import { parseTransaction } from '@monero-node/codec';
import type { RpcChain } from '../dependencies.ts';
import type { RpcPool } from '../pool.ts';

interface TransactionParts {
  /** The base form and what follows it in the full blob. */
  readonly pruned: Uint8Array;
  readonly prunable: Uint8Array;
  readonly prunableHash: Uint8Array;
}

export interface MinedTransaction extends TransactionParts {
  readonly inPool: false;
  readonly height: number;
  readonly blockTimestamp: number;
  readonly confirmations: number;
  readonly outputIndices: readonly number[];
  /** Numbers of the outputs among all of the chain; undefined where the chain keeps no curve tree. */
  readonly unifiedIds: readonly number[] | undefined;
}

export interface WaitingTransaction extends TransactionParts {
  readonly inPool: true;
  readonly receiveTime: number;
  readonly relayed: boolean;
  readonly doubleSpendSeen: boolean;
}

export type FoundTransaction = MinedTransaction | WaitingTransaction;

interface FindContext {
  readonly services: { readonly chain: RpcChain; readonly pool: RpcPool };
  /** The call came to a listener that hides private transactions. */
  readonly restricted: boolean;
}

/**
 * Finds a transaction by its 32-byte id on the chain, then in the pool; undefined when the caller may see it in
 * neither.
 */
export function findVisibleTransaction(
  { services, restricted }: FindContext,
  id: Uint8Array,
): FoundTransaction | undefined {
  const { chain, pool } = services;
  const { store } = chain;
  const location = store.txLocation(id);
  if (location !== undefined) {
    const stored = store.tx(location.height, location.position);
    const meta = store.blockMeta(location.height);
    if (stored === undefined || meta === undefined) return undefined;
    return {
      inPool: false,
      pruned: stored.pruned,
      prunable: stored.prunable,
      prunableHash: stored.prunableHash,
      height: location.height,
      blockTimestamp: meta.timestamp,
      confirmations: chain.height - location.height,
      outputIndices: store.outputIndices(location.height, location.position),
      unifiedIds: chain.treeRoots.outputs?.idsOf(location.height, location.position),
    };
  }
  const waiting = pool.transaction(id);
  if (waiting === undefined || (restricted && !waiting.broadcast)) return undefined;
  const { blob, receiveTime, relayed, doubleSpendSeen } = waiting;
  const { unprunedSize, prunableHash } = parseTransaction(blob);
  return {
    inPool: true,
    pruned: blob.subarray(0, unprunedSize),
    prunable: blob.subarray(unprunedSize),
    prunableHash,
    receiveTime,
    relayed,
    doubleSpendSeen,
  };
}
