import { NO_TREE } from '@monero-node/blockchain';
import { NETWORKS } from '@monero-node/consensus';
import { createMemoryStore, type BlockMeta, type ChainStore } from '@monero-node/storage';
import type { RpcChain } from '../dependencies.ts';

export interface MadeUpChainOptions {
  readonly height: number;
  /** Fields that differ from block to block; they may change while the chain is used. */
  readonly metaOf?: (height: number) => Partial<BlockMeta>;
  /** Other methods of the store. */
  readonly store?: Partial<ChainStore>;
}

/** Returns the 32-byte id of a made-up block; `branch` makes ids of the same height differ. */
export function madeUpId(height: number, branch = 1): Uint8Array {
  const id = new Uint8Array(32);
  new DataView(id.buffer).setUint32(0, height);
  id[31] = branch;
  return id;
}

/** Returns a chain of any length whose blocks exist only while they are read. */
export function madeUpChain({ height, metaOf, store }: MadeUpChainOptions): RpcChain {
  const meta = (at: number): BlockMeta => ({
    height: at,
    id: madeUpId(at),
    timestamp: at,
    weight: 1,
    longTermWeight: 1,
    cumulativeDifficulty: BigInt(at + 1),
    generatedCoins: 1n,
    cumulativeTxCount: 0,
    cumulativeRctOutputs: at,
    majorVersion: 16,
    minorVersion: 16,
    ...metaOf?.(at),
  });
  const parts: Partial<ChainStore> = {
    blockMeta: (at) => (at < height ? meta(at) : undefined),
    blockMetas: (from, to) =>
      Array.from({ length: Math.max(0, Math.min(to, height) - from) }, (_, i) => meta(from + i)),
    ...store,
  };
  const top = meta(height - 1);
  return {
    network: NETWORKS.regtest,
    store: Object.assign(Object.create(createMemoryStore()) as ChainStore, parts),
    height,
    topId: top.id,
    top,
    treeRoots: NO_TREE,
    difficultyOf: () => 1n,
  } as unknown as RpcChain;
}
