import { bytesEqual, concatBytes } from '@monero-node/codec';
import type { ChainReader } from '@monero-node/storage';
import type { BlockBundle } from '../types.ts';

/** Number of consecutive ids before the gaps start to double. */
const CONSECUTIVE_IDS = 11;

/**
 * Returns the 32-byte ids that let a peer find the newest block in common: the newest 11, then gaps that
 * double, genesis last. Source: get_short_chain_history in src/cryptonote_core/blockchain.cpp.
 */
export function shortHistory(store: ChainReader): Uint8Array[] {
  const heights: number[] = [];
  let gap = 1;
  for (let height = store.height - 1; height > 0; height -= gap) {
    heights.push(height);
    if (heights.length >= CONSECUTIVE_IDS) gap *= 2;
  }
  if (store.height > 0) heights.push(0);
  return heights.flatMap((height) => store.blockMeta(height)?.id ?? []);
}

/**
 * Returns the height of the newest main-chain block among `ids`; undefined when the last id is not our genesis
 * block. Source: find_blockchain_supplement in src/cryptonote_core/blockchain.cpp.
 *
 * @param ids 32 bytes each, newest first
 */
export function findCommonHeight(
  store: ChainReader,
  ids: readonly Uint8Array[],
): number | undefined {
  const genesis = store.blockMeta(0)?.id;
  const last = ids.at(-1);
  if (genesis === undefined || last === undefined || !bytesEqual(last, genesis)) return undefined;
  for (const id of ids) {
    const height = store.heightOf(id);
    if (height !== undefined) return height;
  }
  return undefined;
}

/** Returns the block at `height` and its transactions as full blobs; undefined when one was pruned. */
export function mainBundle(store: ChainReader, height: number): BlockBundle | undefined {
  const block = store.blockBlob(height);
  if (block === undefined) return undefined;
  const [, ...txs] = store.blockTxs(height);
  if (txs.some((tx) => tx.dropped)) return undefined;
  return { block, txs: txs.map((tx) => concatBytes(tx.pruned, tx.prunable)) };
}

/** Returns the main-chain or alternative block with this 32-byte id and the full blobs of its transactions. */
export function bundleById(store: ChainReader, id: Uint8Array): BlockBundle | undefined {
  const height = store.heightOf(id);
  if (height !== undefined) return mainBundle(store, height);
  const alternative = store.altBlock(id);
  return alternative && { block: alternative.blob, txs: alternative.txs };
}

/** Returns the full blob of a main-chain transaction by its 32-byte id; undefined when it was pruned. */
export function transactionBlob(store: ChainReader, id: Uint8Array): Uint8Array | undefined {
  const location = store.txLocation(id);
  const tx = location && store.tx(location.height, location.position);
  return tx && !tx.dropped ? concatBytes(tx.pruned, tx.prunable) : undefined;
}
