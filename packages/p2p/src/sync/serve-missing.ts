import { parseBlock, toHex } from '@monero-node/codec';
import type { NewBlock, RequestFluffyMissing } from '../messages/blocks.ts';
import { Violation } from '../peers/violation.ts';
import type { ChainForP2p } from './chain.ts';

/**
 * Returns the answer to 2009: a main or alternative block with the requested transactions.
 * Source: handle_request_fluffy_missing_tx in src/cryptonote_protocol/cryptonote_protocol_handler.inl
 */
export function missingTransactionsFor(
  chain: ChainForP2p,
  request: RequestFluffyMissing,
): NewBlock | Violation {
  const bundle = chain.blockBundleById(request.block_hash);
  if (!bundle) return new Violation(`unknown block ${toHex(request.block_hash)}`, 0);
  const parsed = parseBlock(bundle.block);
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
