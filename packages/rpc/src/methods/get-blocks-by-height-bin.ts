import type { Yielder } from '@monero-node/base';
import { CountedList } from '@monero-node/codec/portable-storage';
import type { BlockEntry } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { fullBlob } from '../blocks/block-span.ts';
import type { RpcChain } from '../dependencies.ts';
import { RpcStatus } from '../errors.ts';
import { MAX_RESTRICTED_BLOCKS } from '../limits.ts';

/**
 * Weight of blocks, which is at least their size in bytes, after which no further one is sent. Without a limit one
 * request of 1 MiB could name 100,000 large blocks.
 */
const MAX_WEIGHT = 512 * 1024 * 1024;

/** Weight of blocks that are read at once and kept until they are sent. */
const HELD_WEIGHT = 1024 * 1024;

/** Memory of a height in a list. */
const BYTES_PER_HEIGHT = 8;

/**
 * Returns whole blocks by height, which are read while they are sent. Throws RpcStatus with the blocks before it for a
 * height above the chain and for the block that exceeds 512 MiB, and for too many heights on a restricted listener.
 */
export const getBlocksByHeightBin: HandlerOf<'getBlocksByHeightBin'> = async (
  { heights },
  { chain, restricted, yielder, holds },
) => {
  if (restricted && heights.length > MAX_RESTRICTED_BLOCKS) {
    throw new RpcStatus('Too many blocks requested in restricted mode');
  }
  const found: number[] = [];
  const limit = BigInt(chain.height);
  const blocks = (): CountedList<BlockEntry> =>
    new CountedList(found.length, entriesAt(chain, found, yielder));
  let weight = 0;
  for (const height of heights) {
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    const meta = height < limit ? chain.store.blockMeta(Number(height)) : undefined;
    if (meta === undefined) {
      throw new RpcStatus(`Error retrieving block at height ${height}`, { blocks: blocks() });
    }
    weight += meta.weight;
    if (weight > MAX_WEIGHT) throw new RpcStatus('Too many blocks requested', { blocks: blocks() });
    found.push(Number(height));
  }
  if (weight <= HELD_WEIGHT) {
    holds(found.length * BYTES_PER_HEIGHT + weight);
    return { blocks: await blocksAt(chain, found, yielder) };
  }
  holds(found.length * BYTES_PER_HEIGHT);
  return { blocks: blocks() };
};

/** Reads a few blocks at once, which takes less time than one by one while they are sent. */
async function blocksAt(
  chain: RpcChain,
  heights: readonly number[],
  yielder: Yielder,
): Promise<BlockEntry[]> {
  const blocks: BlockEntry[] = [];
  for (const height of heights) {
    const pause = yielder.yieldIfDue();
    if (pause !== undefined) await pause;
    blocks.push(entryAt(chain, height));
  }
  return blocks;
}

async function* entriesAt(
  chain: RpcChain,
  heights: readonly number[],
  yielder: Yielder,
): AsyncGenerator<BlockEntry> {
  for (const height of heights) {
    await yielder.yieldIfDue();
    yield entryAt(chain, height);
  }
}

function entryAt({ store }: RpcChain, height: number): BlockEntry {
  const block = store.blockBlob(height);
  if (block === undefined) throw new Error(`block ${height} was removed while it was sent`);
  const txs = store.blockTxs(height).slice(1);
  return { block, txs: txs.flatMap((tx) => fullBlob(tx) ?? []) };
}
