import type { AltBlock, BlockMeta, BlockRecord, NewOutput, StoredTx } from './records.ts';
import type { PoolTxMeta } from './pool-store.ts';

// Deep copies of records. Not structuredClone: that copies the whole buffer behind every subarray.

export function copyMeta(meta: BlockMeta): BlockMeta {
  return { ...meta, id: meta.id.slice() };
}

export function copyTx(tx: StoredTx): StoredTx {
  return {
    id: tx.id.slice(),
    pruned: tx.pruned.slice(),
    prunable: tx.prunable.slice(),
    prunableHash: tx.prunableHash.slice(),
    ...(tx.dropped && { dropped: tx.dropped }),
  };
}

/** Copies an output; further properties (such as its height) come along as they are. */
export function copyOutput<T extends Omit<NewOutput, 'amount'>>(output: T): T {
  return {
    ...output,
    key: output.key.slice(),
    ...(output.commitment && { commitment: output.commitment.slice() }),
  };
}

export function copyBlock(block: BlockRecord): BlockRecord {
  return {
    meta: copyMeta(block.meta),
    blob: block.blob.slice(),
    txs: block.txs.map(copyTx),
    outputs: block.outputs.map((outputs) => outputs.map(copyOutput)),
    keyImages: block.keyImages.map((keyImage) => keyImage.slice()),
  };
}

export function copyAltBlock(alt: AltBlock): AltBlock {
  return {
    ...alt,
    id: alt.id.slice(),
    prevId: alt.prevId.slice(),
    blob: alt.blob.slice(),
    txs: alt.txs.map((tx) => tx.slice()),
  };
}

export function copyPoolMeta(meta: PoolTxMeta): PoolTxMeta {
  const { verified, ...rest } = meta;
  return {
    ...rest,
    maxUsedBlockId: meta.maxUsedBlockId.slice(),
    lastFailedId: meta.lastFailedId.slice(),
    ...(verified && { verified: { version: verified.version, ring: verified.ring.slice() } }),
  };
}
