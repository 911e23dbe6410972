import { bytesEqual, concatBytes } from '@monero-node/codec';
import type { ChainReader } from '@monero-node/storage';
import type { BlockBundle } from '../types.ts';

/** Ids given one by one before the gaps start to double. */
const CONSECUTIVE_IDS = 11;

/**
 * Ids that let a peer find the newest block in common: the newest 11, then gaps that double,
 * genesis last (upstream get_short_chain_history).
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
 * Height of the newest main-chain block among `ids` (newest first).
 *
 * @returns undefined when the last id is not our genesis block.
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

/** The block at `height` and its transactions as full blobs; undefined when one was pruned. */
export function mainBundle(store: ChainReader, height: number): BlockBundle | undefined {
  const block = store.blockBlob(height);
  if (block === undefined) return undefined;
  const [, ...txs] = store.blockTxs(height);
  if (txs.some((tx) => tx.dropped)) return undefined;
  return { block, txs: txs.map((tx) => concatBytes(tx.pruned, tx.prunable)) };
}

/** A main-chain or alternative block with its transactions. */
export function bundleById(store: ChainReader, id: Uint8Array): BlockBundle | undefined {
  const height = store.heightOf(id);
  if (height !== undefined) return mainBundle(store, height);
  const alternative = store.altBlock(id);
  return alternative && { block: alternative.blob, txs: alternative.txs };
}

/** Full blob of a main-chain transaction; undefined when it was pruned. */
export function transactionBlob(store: ChainReader, id: Uint8Array): Uint8Array | undefined {
  const location = store.txLocation(id);
  const tx = location && store.tx(location.height, location.position);
  return tx && !tx.dropped ? concatBytes(tx.pruned, tx.prunable) : undefined;
}
