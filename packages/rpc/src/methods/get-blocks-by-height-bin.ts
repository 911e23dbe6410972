import type { BlockEntry } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { fullBlob } from '../blocks/block-span.ts';
import type { RpcChain } from '../dependencies.ts';
import { RpcStatus } from '../errors.ts';
import { MAX_RESTRICTED_BLOCKS } from '../limits.ts';

/**
 * Bytes after which no further block is read. Without a limit one request of 1 MiB could name 100,000 large blocks.
 */
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Returns whole blocks by height. Throws RpcStatus with the blocks read so far for a height above the chain or after
 * 512 MiB, and for too many heights on a restricted listener.
 */
export const getBlocksByHeightBin: HandlerOf<'getBlocksByHeightBin'> = async (
  { heights },
  { chain, restricted, yielder },
) => {
  if (restricted && heights.length > MAX_RESTRICTED_BLOCKS) {
    throw new RpcStatus('Too many blocks requested in restricted mode');
  }
  const blocks: BlockEntry[] = [];
  let bytes = 0;
  for (const height of heights) {
    await yielder.yieldIfDue();
    const entry = height < BigInt(chain.height) ? blockEntry(chain, Number(height)) : undefined;
    if (entry === undefined) {
      throw new RpcStatus(`Error retrieving block at height ${height}`, { blocks });
    }
    bytes += entry.bytes;
    if (bytes > MAX_BYTES) throw new RpcStatus('Too many blocks requested', { blocks });
    blocks.push(entry.entry);
  }
  return { blocks };
};

function blockEntry(
  chain: RpcChain,
  height: number,
): { entry: BlockEntry; bytes: number } | undefined {
  const block = chain.store.blockBlob(height);
  if (block === undefined) return undefined;
  const txs = chain.store
    .blockTxs(height)
    .slice(1)
    .flatMap((tx) => fullBlob(tx) ?? []);
  const bytes = txs.reduce((sum, tx) => sum + tx.length, block.length);
  return { entry: { block, txs }, bytes };
}
