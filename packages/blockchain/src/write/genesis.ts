import { Yielder } from '@monero-node/base';
import { bytesEqual, parseBlock, toHex } from '@monero-node/codec';
import type { Network } from '@monero-node/consensus';
import { StorageError, type ChainReader, type ChainWriter } from '@monero-node/storage/memory';
import type { ChainTree } from '../view/tree/chain-tree.ts';
import type { ChainView } from '../view/chain-view.ts';
import { completeBlock } from '../verify/match-transactions.ts';
import { prepareBlock, type PrepareOptions } from '../verify/prepare-block.ts';

/**
 * Stores the network's genesis block. It must obey the rules like any other block, except that its proof of work
 * is not hashed: every hash meets difficulty 1, and the block is fixed.
 *
 * Throws Error when the block does not have the network's genesis id, ConsensusError when it breaks a rule, and
 * StorageError when the store cannot commit.
 */
export async function storeGenesis(
  {
    store,
    tree,
  }: { readonly store: ChainReader & ChainWriter; readonly tree: ChainTree | undefined },
  view: ChainView,
  network: Network,
  options: PrepareOptions,
): Promise<void> {
  const block = parseBlock(network.genesisBlob);
  if (!bytesEqual(block.id, network.genesisId)) {
    throw new Error(`the genesis block of ${network.name} has id ${toHex(block.id)}`);
  }
  await prepareBlock(view, completeBlock(block, []), options, new Yielder());
  await store.commit({ append: view.records, tree: tree?.changeFrom(0, view.tree?.blocks ?? []) });
}

/** Checks that a stored chain is that of the network. Throws StorageError 'damaged' when it is not. */
export function checkGenesis(store: ChainReader, network: Network): void {
  const stored = store.blockMeta(0)?.id;
  if (stored !== undefined && bytesEqual(stored, network.genesisId)) return;
  throw new StorageError(
    'damaged',
    `the data directory holds another chain: its genesis block is not that of ${network.name}`,
  );
}
