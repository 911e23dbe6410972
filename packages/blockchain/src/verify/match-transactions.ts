import { toHex, type ParsedBlock, type ParsedTransaction } from '@monero-node/codec';
import { ConsensusError, formatsOf, type Network } from '@monero-node/consensus';
import type { AltBlock } from '@monero-node/storage';
import type { IncomingBlock, CompleteBlock } from '../types.ts';
import { parseBundle } from './parse-bundle.ts';

/** The transactions of a block in the order of its tx_hashes; undefined for a missing one. */
export interface MatchedTransactions {
  readonly txs: readonly (ParsedTransaction | undefined)[];
  /** Positions in tx_hashes of the missing transactions. */
  readonly missing: number[];
}

/** Throws ConsensusError 'duplicate-tx' when a block lists a transaction twice. */
export function checkListedOnce({ block }: ParsedBlock): void {
  if (beginUnlike(block.txHashes)) return;
  const seen = new Set<string>();
  for (const id of block.txHashes) {
    const key = toHex(id);
    if (seen.has(key)) throw new ConsensusError('duplicate-tx', key, { txId: key });
    seen.add(key);
  }
}

/** Returns whether no two ids have the same first four bytes, as those of nearly all blocks: numbers are compared faster than hex. */
function beginUnlike(ids: readonly Uint8Array[]): boolean {
  const starts = new Set<number>();
  for (const id of ids) {
    let start = 0;
    for (let i = 0; i < 4; i++) start = (start << 8) | (id[i] as number);
    starts.add(start);
  }
  return starts.size === ids.length;
}

/**
 * Puts a block's transactions in the order of its tx_hashes.
 * Throws ConsensusError 'duplicate-tx' when the block lists a transaction twice.
 */
export function matchTransactions({ block, txs: supplied }: IncomingBlock): MatchedTransactions {
  checkListedOnce(block);
  if (isInOrder(block, supplied)) return { txs: supplied, missing: [] };
  const byId = new Map(supplied.map((tx) => [toHex(tx.id), tx]));
  const missing: number[] = [];
  const txs = block.block.txHashes.map((id, position) => {
    const tx = byId.get(toHex(id));
    if (tx === undefined) missing.push(position);
    return tx;
  });
  return { txs, missing };
}

function isInOrder({ block }: ParsedBlock, txs: readonly ParsedTransaction[]): boolean {
  const { txHashes } = block;
  return (
    txs.length === txHashes.length && txs.every((tx, i) => tx.hasId(txHashes[i] as Uint8Array))
  );
}

/** Returns the positions in tx_hashes of transactions whose prunable parts are missing. */
export function prunedPositions(txs: readonly (ParsedTransaction | undefined)[]): number[] {
  return txs.flatMap((tx, position) => (tx?.pruned === true ? [position] : []));
}

/** Returns the positions in tx_hashes of transactions that are missing; if none is, of those that are pruned. */
export function missingPositions({ missing, txs }: MatchedTransactions): number[] {
  const pruned = prunedPositions(txs);
  return pruned.length > 0 ? pruned : [...missing];
}

/**
 * Returns a block with all its transactions, given in the order of its tx_hashes. Throws ConsensusError 'missing-tx' when one
 * is missing.
 */
export function completeBlock(
  block: ParsedBlock,
  txs: readonly (ParsedTransaction | undefined)[],
): CompleteBlock {
  for (const [position, id] of block.block.txHashes.entries()) {
    if (txs[position] === undefined) throw new ConsensusError('missing-tx', toHex(id));
  }
  return { block, txs } as CompleteBlock;
}

/** Decodes a stored block of a side chain. Throws ConsensusError when it does not decode. */
export function decodeSideBlock(network: Network, { blob, txs }: AltBlock): CompleteBlock {
  const incoming = parseBundle({ block: blob, txs, formats: formatsOf(network) });
  return completeBlock(incoming.block, matchTransactions(incoming).txs);
}
