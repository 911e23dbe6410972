import type { Yielder } from '@monero-node/base';
import { parseBlock } from '@monero-node/codec';
import type { BlockMeta, ChainReader } from '@monero-node/storage';
import type { EventBlock } from '../messages/block-table.ts';
import { minedFacts, minerFacts } from './transaction-facts.ts';

/** Source of the facts. */
export type FactSource = Pick<
  ChainReader,
  'height' | 'blockMeta' | 'blockBlob' | 'blockTxs' | 'outputIndices'
>;

/**
 * Returns the facts of the main-chain block at a height, in slices; undefined when there is none, or when it was replaced
 * meanwhile. Throws StorageError or DecodeError when the store is damaged.
 */
export async function blockFacts(
  store: FactSource,
  height: number,
  yielder: Yielder,
): Promise<EventBlock | undefined> {
  const meta = store.blockMeta(height);
  const blob = store.blockBlob(height);
  if (meta === undefined || blob === undefined) return undefined;
  const { block, minerTx } = parseBlock(blob);
  const [minerStored, ...stored] = store.blockTxs(height);
  const indices = [minerStored, ...stored].map((_, i) => store.outputIndices(height, i));
  const txs = [];
  for (const [i, tx] of stored.entries()) {
    txs.push(minedFacts(tx, indices[i + 1] ?? []));
    await yielder.yieldIfDue();
  }
  return {
    ...metaFacts(meta, store.blockMeta(height - 1)),
    prev_id: block.prevId,
    nonce: block.nonce,
    reward: block.minerTx.outputs.reduce((sum, { amount }) => sum + amount, 0n),
    fees: txs.reduce((sum, { fee }) => sum + fee, 0n),
    miner_tx: minerFacts(minerTx, minerStored?.id ?? minerTx.id, indices[0] ?? []),
    txs,
  };
}

function metaFacts(meta: BlockMeta, parent: BlockMeta | undefined) {
  const difficulty = meta.cumulativeDifficulty - (parent?.cumulativeDifficulty ?? 0n);
  return {
    height: meta.height,
    id: meta.id,
    timestamp: meta.timestamp,
    major_version: meta.majorVersion,
    minor_version: meta.minorVersion,
    weight: meta.weight,
    long_term_weight: meta.longTermWeight,
    difficulty: String(difficulty),
    cumulative_difficulty: String(meta.cumulativeDifficulty),
    generated_coins: meta.generatedCoins,
    total_txs: meta.cumulativeTxCount,
  };
}
