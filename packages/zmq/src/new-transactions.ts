import type { AddedBlock, BlockBundle } from '@monero-node/blockchain';
import { parseBlock, toHex, type ParsedTransaction } from '@monero-node/codec';
import { feeOf, transactionWeight } from '@monero-node/consensus';
import type { PoolTransaction } from '@monero-node/mempool';

/** A transaction that is public. */
export type PublishedTransaction = Pick<PoolTransaction, 'id' | 'blob' | 'weight' | 'fee'>;

/**
 * Returns for each block those of its transactions that have not been announced to subscribers: they came with the block,
 * without having been in the pool. Those of blocks that were on a side chain before were announced when they came; pruned ones
 * are never.
 *
 * @param isKnown whether a transaction, by its id in hex, was in the pool or has been announced
 * @param removed the blocks that these replace, if any
 */
export function newTransactions(
  blocks: readonly AddedBlock[],
  isKnown: (id: string) => boolean,
  removed: readonly BlockBundle[] | undefined,
): PublishedTransaction[][] {
  const replaced = new Set(
    removed?.flatMap(({ block }) => parseBlock(block).block.txHashes.map(toHex)),
  );
  const isNew = ({ id, pruned }: ParsedTransaction): boolean =>
    !pruned && !isKnown(toHex(id)) && !replaced.has(toHex(id));
  const news = (block: AddedBlock | undefined): PublishedTransaction[] =>
    (block?.bundle.txs ?? []).filter(isNew).map(published);
  if (removed === undefined) return blocks.map(news);
  // monerod takes over the transactions of the newest block before it switches.
  return [news(blocks.at(-1))];
}

/** Returns a transaction as it is announced. */
export function published(parsed: ParsedTransaction): PublishedTransaction {
  const { id, blob } = parsed;
  return { id, blob, weight: transactionWeight(parsed), fee: feeOf(parsed) };
}
