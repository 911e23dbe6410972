import { Yielder } from '@monero-node/base';
import { concatBytes, toHex } from '@monero-node/codec';
import type { BlockCompleteEntry, TxBlobEntry } from '@monero-node/codec';
import { nextPrunedHeight } from '@monero-node/consensus';
import type { StoredTx } from '@monero-node/storage';
import { MAX_PACKET } from '../levin/frame.ts';
import type {
  NewBlock,
  RequestFluffyMissing,
  RequestObjects,
  ResponseObjects,
} from '../messages/blocks.ts';
import type { RequestChain, ResponseChain } from '../messages/chain.ts';
import { Violation } from '../peers/violation.ts';
import { MAX_BLOCKS_PER_REQUEST } from './batch-size.ts';
import type { ChainForP2p } from './chain.ts';
import { tryParseBlock } from './objects.ts';

/** Ids in one answer to a chain request. */
const IDS_PER_ENTRY = 10_000;
const NO_HASH = new Uint8Array(32);
const LOW_64 = (1n << 64n) - 1n;

/**
 * Returns the answer to 2006; undefined when there is no common block, or when the peer accepts no pruned blocks and the
 * common one is followed by blocks that are pruned here. For such peers the ids end before the blocks pruned here.
 * Source: find_blockchain_supplement in src/cryptonote_core/blockchain.cpp
 */
export function chainEntryFor(
  chain: ChainForP2p,
  request: RequestChain,
): ResponseChain | undefined {
  const start = chain.findCommonHeight(request.block_ids);
  if (start === undefined) return undefined;
  const { top } = chain;
  const { pruningSeed } = chain;
  const height = top.height + 1;
  const stop = request.prune ? height : nextPrunedHeight(start, height, pruningSeed);
  if (stop === start) return undefined;
  const metas = chain.store.blockMetas(start, Math.min(start + IDS_PER_ENTRY, stop));
  const first = metas.length < 2 ? undefined : chain.store.blockBlob(start + 1);
  return {
    cumulative_difficulty: top.cumulativeDifficulty & LOW_64,
    cumulative_difficulty_top64: top.cumulativeDifficulty >> 64n,
    first_block: first ?? new Uint8Array(0),
    m_block_ids: metas.map((meta) => meta.id),
    m_block_weights: metas.map((meta) => BigInt(meta.weight)),
    start_height: start,
    total_height: height,
  };
}

/**
 * Returns the answer to 2003: main-chain blocks with their transactions, whole or pruned.
 * Source: handle_request_get_objects in src/cryptonote_protocol/cryptonote_protocol_handler.inl
 */
export async function objectsFor(
  chain: ChainForP2p,
  request: RequestObjects,
): Promise<ResponseObjects | Violation> {
  if (request.blocks.length > MAX_BLOCKS_PER_REQUEST)
    return new Violation(`${request.blocks.length} blocks in one request`, 0);
  const yielder = new Yielder();
  const blocks: BlockCompleteEntry[] = [];
  const missed_ids: Uint8Array[] = [];
  let size = 0;
  for (const id of request.blocks) {
    await yielder.yieldIfDue();
    const height = chain.store.heightOf(id);
    const entry = height === undefined ? undefined : blockEntry(chain, height, request.prune);
    if (entry === 'pruned') return new Violation('a block that was pruned here', 0);
    if (!entry) {
      missed_ids.push(id);
      continue;
    }
    size += entry.block.length;
    for (const tx of entry.txs) size += tx instanceof Uint8Array ? tx.length : tx.blob.length;
    if (size > MAX_PACKET) return new Violation('blocks that do not fit a packet', 0);
    blocks.push(entry);
  }
  return { blocks, current_blockchain_height: chain.height, missed_ids };
}

function blockEntry(
  chain: ChainForP2p,
  height: number,
  prune: boolean,
): BlockCompleteEntry | 'pruned' | undefined {
  const { store } = chain;
  const block = store.blockBlob(height);
  const meta = store.blockMeta(height);
  if (!block || !meta) return undefined;
  const [, ...txs] = store.blockTxs(height);
  if (!prune && txs.some((tx) => tx.dropped)) return 'pruned';
  return {
    block,
    block_weight: prune ? meta.weight : 0,
    pruned: prune,
    txs: prune ? txs.map(prunedEntry) : txs.map(wholeBlob),
  };
}

function wholeBlob(tx: StoredTx): Uint8Array {
  return concatBytes(tx.pruned, tx.prunable);
}

/** Transactions of version 1, the only ones without a prunable hash, are never pruned. */
function prunedEntry(tx: StoredTx): TxBlobEntry {
  return tx.prunableHash.some((byte) => byte !== 0)
    ? { blob: tx.pruned, prunable_hash: tx.prunableHash }
    : { blob: wholeBlob(tx), prunable_hash: NO_HASH };
}

/**
 * Returns the answer to 2009: a main or alternative block with the requested transactions.
 * Source: handle_request_fluffy_missing_tx in src/cryptonote_protocol/cryptonote_protocol_handler.inl
 */
export function missingTransactionsFor(
  chain: ChainForP2p,
  request: RequestFluffyMissing,
): NewBlock | Violation {
  const bundle = chain.blockBundleById(request.block_hash);
  const parsed = bundle && tryParseBlock(bundle.block);
  if (!bundle || !parsed) return new Violation(`unknown block ${toHex(request.block_hash)}`, 0);
  const seen = new Set<bigint>();
  const txs: Uint8Array[] = [];
  for (const index of request.missing_tx_indices) {
    if (index >= BigInt(parsed.block.txHashes.length))
      return new Violation('transaction index out of range', 0);
    if (seen.has(index)) return new Violation('duplicate transaction index', 1);
    seen.add(index);
    const blob = bundle.txs[Number(index)];
    if (!blob) return new Violation('transaction not found', 0);
    txs.push(blob);
  }
  return {
    b: { block: bundle.block, block_weight: 0, pruned: false, txs },
    current_blockchain_height: request.current_blockchain_height,
  };
}
