import type { ScheduledBlock } from '@monero-node/curve-tree';
import type { StoredTx } from '@monero-node/storage';
import { StorageError } from '@monero-node/storage/memory';
import { decodeStoredBase } from '../stored-transaction.ts';

/** Where the transactions of blocks are read from. */
export interface StoredTransactions {
  /** Returns those of a block, the coinbase first. */
  blockTxs(height: number): readonly Pick<StoredTx, 'pruned' | 'prunableHash'>[];
}

/** Reads the outputs of a block of the main chain, pruned or not. Throws StorageError `damaged` when it cannot be read. */
export function storedScheduledBlock(store: StoredTransactions, height: number): ScheduledBlock {
  const [minerTx, ...transactions] = store.blockTxs(height).map((stored) => {
    const parsed = decodeStoredBase(stored);
    if (parsed === undefined) throw unreadable(height);
    return parsed;
  });
  if (minerTx === undefined) throw unreadable(height);
  return { height, minerTx, transactions };
}

function unreadable(height: number): StorageError {
  return new StorageError('damaged', `the transactions of block ${height} cannot be read`);
}
