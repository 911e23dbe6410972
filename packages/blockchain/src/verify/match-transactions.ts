import { toHex, type ParsedBlock, type ParsedTransaction } from '@monero-node/codec';
import { ConsensusError } from '@monero-node/consensus';
import { parseTransactionBlob } from './parse-bundle.ts';
import type { IncomingBlock, ParsedBundle } from '../types.ts';

/** A block that may lack some of its transactions. */
export interface PartialBundle {
  readonly block: ParsedBlock;
  readonly txs: readonly (ParsedTransaction | undefined)[];
  /** Positions in tx_hashes of the missing transactions. */
  readonly missing: number[];
}

/**
 * Puts a block's transactions in the order of its tx_hashes. Supplied transactions take precedence over
 * full blobs that `lookUp` finds by their 32-byte id.
 *
 * Throws ConsensusError 'duplicate-tx' when the block lists a transaction twice, and 'bad-tx-blob' when a blob that
 * `lookUp` found does not decode.
 */
export function matchTransactions(
  { block, txs: supplied }: IncomingBlock,
  lookUp?: (id: Uint8Array) => Uint8Array | undefined,
): PartialBundle {
  const byId = new Map(supplied.map((tx) => [toHex(tx.id), tx]));
  const seen = new Set<string>();
  const missing: number[] = [];
  const txs = block.block.txHashes.map((id, position) => {
    const key = toHex(id);
    if (seen.has(key)) throw new ConsensusError('duplicate-tx', key, { txId: key });
    seen.add(key);
    const tx = byId.get(key);
    if (tx !== undefined) return tx;
    const stored = lookUp?.(id);
    if (stored !== undefined) return parseTransactionBlob(stored);
    missing.push(position);
    return undefined;
  });
  return { block, txs, missing };
}

/** Returns the positions in tx_hashes of transactions whose prunable parts are missing. */
export function prunedPositions(txs: readonly (ParsedTransaction | undefined)[]): number[] {
  return txs.flatMap((tx, position) => (tx?.pruned === true ? [position] : []));
}

/** Returns the bundle with all its transactions. Throws ConsensusError 'missing-tx' when one is missing. */
export function completeBundle(partial: PartialBundle): ParsedBundle {
  const [first] = partial.missing;
  if (first !== undefined) {
    const id = partial.block.block.txHashes[first];
    throw new ConsensusError('missing-tx', id === undefined ? '' : toHex(id));
  }
  return { block: partial.block, txs: partial.txs as ParsedTransaction[] };
}
