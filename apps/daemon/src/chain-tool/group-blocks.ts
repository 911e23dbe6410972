import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  BLOCK_GROUP_SIZE,
  hashGroupIds,
  hashGroupWeights,
  type BlockGroup,
} from '@monero-node/consensus';
import type { ChainReader } from '@monero-node/storage';

/**
 * Hashes the complete groups of stored blocks up to height `last`. With `--block-hashes-file`, other nodes use these
 * hashes to synchronise without verifying the blocks again.
 */
export async function groupStoredBlocks(store: ChainReader, last: number): Promise<BlockGroup[]> {
  const groups: BlockGroup[] = [];
  const count = Math.floor((Math.min(last, store.height - 1) + 1) / BLOCK_GROUP_SIZE);
  for (let group = 0; group < count; group++) {
    const from = group * BLOCK_GROUP_SIZE;
    const metas = store.blockMetas(from, from + BLOCK_GROUP_SIZE);
    groups.push({
      ids: hashGroupIds(metas.map(({ id }) => id)),
      weights: hashGroupWeights(metas.map(({ weight }) => BigInt(weight))),
    });
    await nextTurn();
  }
  return groups;
}
