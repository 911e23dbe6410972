import type { AltBlock, BlockMeta, StoredOutput, StoredTx } from './records.ts';
import type { PoolTxMeta } from './pool-store.ts';

// Deep copies of records. Not structuredClone: that copies the whole buffer behind every subarray.

/** Returns a deep copy of a block's record. */
export function copyMeta(meta: BlockMeta): BlockMeta {
  return { ...meta, id: meta.id.slice() };
}

/** Returns a deep copy of a transaction. */
export function copyTx(tx: StoredTx): StoredTx {
  return {
    id: tx.id.slice(),
    pruned: tx.pruned.slice(),
    prunable: tx.prunable.slice(),
    prunableHash: tx.prunableHash.slice(),
    ...(tx.dropped && { dropped: tx.dropped }),
  };
}

/** Returns a copy of an output with its own key and commitment; other properties, such as the height, are copied too. */
export function copyOutput<T extends Pick<StoredOutput, 'key' | 'commitment'>>(output: T): T {
  return {
    ...output,
    key: output.key.slice(),
    ...(output.commitment && { commitment: output.commitment.slice() }),
  };
}

/** Returns a deep copy of an alternative block. */
export function copyAltBlock(alt: AltBlock): AltBlock {
  return {
    ...alt,
    id: alt.id.slice(),
    prevId: alt.prevId.slice(),
    blob: alt.blob.slice(),
    txs: alt.txs.map((tx) => tx.slice()),
  };
}

/** Returns a deep copy of the record of a pool transaction. */
export function copyPoolMeta(meta: PoolTxMeta): PoolTxMeta {
  const { verified, ...rest } = meta;
  return {
    ...rest,
    maxUsedBlockId: meta.maxUsedBlockId.slice(),
    lastFailedId: meta.lastFailedId.slice(),
    ...(verified && { verified: { version: verified.version, ring: verified.ring.slice() } }),
  };
}
