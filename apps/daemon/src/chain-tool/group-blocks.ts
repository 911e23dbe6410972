import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  BLOCK_GROUP_SIZE,
  hashGroupIds,
  hashGroupWeights,
  type BlockGroup,
} from '@monero-node/consensus';
import type { BlockMeta, ChainReader } from '@monero-node/storage';

type Record = Pick<BlockMeta, 'id' | 'weight'>;

/**
 * Hashes the complete groups of stored blocks up to height `last`. With `--block-hashes-file`, other nodes use these
 * hashes to synchronize without verifying the blocks again.
 */
export function groupStoredBlocks(store: ChainReader, last: number): Promise<BlockGroup[]> {
  const count = Math.min(last, store.height - 1) + 1;
  return groupBlocks(count, (from, to) => Promise.resolve(store.blockMetas(from, to)));
}

/**
 * Hashes the complete groups among the first `count` blocks.
 *
 * @param read returns the blocks of heights `from` ≤ h < `to`; weights in bytes
 */
export async function groupBlocks(
  count: number,
  read: (from: number, to: number) => Promise<readonly Record[]>,
): Promise<BlockGroup[]> {
  const groups: BlockGroup[] = [];
  for (let from = 0; from + BLOCK_GROUP_SIZE <= count; from += BLOCK_GROUP_SIZE) {
    const blocks = await read(from, from + BLOCK_GROUP_SIZE);
    groups.push({
      ids: hashGroupIds(blocks.map(({ id }) => id)),
      weights: hashGroupWeights(blocks.map(({ weight }) => BigInt(weight))),
    });
    await nextTurn();
  }
  return groups;
}
