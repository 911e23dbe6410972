import { toHex, type ParsedBlock, type ParsedTransaction } from '@monero-node/codec';
import { ConsensusError } from '@monero-node/consensus';
import type { IncomingBlock, ParsedBundle } from '../types.ts';

/** A block that may lack some of its transactions. */
export interface PartialBundle {
  readonly block: ParsedBlock;
  readonly txs: readonly (ParsedTransaction | undefined)[];
  /** Positions in tx_hashes of the missing transactions. */
  readonly missing: number[];
}

/** Throws ConsensusError 'duplicate-tx' when a block lists a transaction twice. */
export function checkListedOnce({ block }: ParsedBlock): void {
  const seen = new Set<string>();
  for (const id of block.txHashes) {
    const key = toHex(id);
    if (seen.has(key)) throw new ConsensusError('duplicate-tx', key, { txId: key });
    seen.add(key);
  }
}

/**
 * Puts a block's transactions in the order of its tx_hashes.
 * Throws ConsensusError 'duplicate-tx' when the block lists a transaction twice.
 */
export function matchTransactions({ block, txs: supplied }: IncomingBlock): PartialBundle {
  const byId = new Map(supplied.map((tx) => [toHex(tx.id), tx]));
  checkListedOnce(block);
  const missing: number[] = [];
  const txs = block.block.txHashes.map((id, position) => {
    const tx = byId.get(toHex(id));
    if (tx === undefined) missing.push(position);
    return tx;
  });
  return { block, txs, missing };
}

/** Returns the positions in tx_hashes of transactions whose prunable parts are missing. */
export function prunedPositions(txs: readonly (ParsedTransaction | undefined)[]): number[] {
  return txs.flatMap((tx, position) => (tx?.pruned === true ? [position] : []));
}

/** Returns the positions in tx_hashes of transactions that are missing; if none is, of those that are pruned. */
export function missingPositions({ missing, txs }: PartialBundle): number[] {
  const pruned = prunedPositions(txs);
  return pruned.length > 0 ? pruned : [...missing];
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
