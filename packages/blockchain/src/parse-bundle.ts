import {
  DecodeError,
  parseBlock,
  parsePrunedTransaction,
  parseTransaction,
  toHex,
  type ParsedBlock,
  type ParsedTransaction,
} from '@monero-node/codec';
import { ConsensusError } from '@monero-node/consensus';
import type { BlockBundle, ParsedBundle } from './types.ts';

/** A decoded block of which some transactions may not be at hand. */
export interface PartialBundle {
  readonly block: ParsedBlock;
  readonly txs: readonly (ParsedTransaction | undefined)[];
  /** Positions in tx_hashes of those that are not. */
  readonly missing: number[];
}

/** @throws ConsensusError 'bad-block-blob' */
export function parseBlockBlob(blob: Uint8Array): ParsedBlock {
  try {
    return parseBlock(blob);
  } catch (error) {
    if (error instanceof DecodeError) throw new ConsensusError('bad-block-blob', error.message);
    throw error;
  }
}

/**
 * @param prunableHash of the part that is missing; undefined or zeros: none is.
 * @throws ConsensusError 'bad-tx-blob'
 */
function parseTxBlob(blob: Uint8Array, prunableHash?: Uint8Array): ParsedTransaction {
  try {
    return prunableHash === undefined || prunableHash.every((byte) => byte === 0)
      ? parseTransaction(blob)
      : parsePrunedTransaction(blob, prunableHash);
  } catch (error) {
    if (error instanceof DecodeError) throw new ConsensusError('bad-tx-blob', error.message);
    throw error;
  }
}

/**
 * Decodes a block's transactions and puts them in the order of tx_hashes. Supplied transactions
 * win over those that `lookUp` finds.
 *
 * @throws ConsensusError 'bad-tx-blob', or 'duplicate-tx' when the block lists one twice.
 */
export function matchTransactions(
  block: ParsedBlock,
  { txs: blobs, prunableHashes }: Pick<BlockBundle, 'txs' | 'prunableHashes'>,
  lookUp: (id: Uint8Array) => Uint8Array | undefined,
): PartialBundle {
  const supplied = new Map<string, ParsedTransaction>();
  blobs.forEach((blob, i) => {
    const parsed = parseTxBlob(blob, prunableHashes?.[i]);
    supplied.set(toHex(parsed.id), parsed);
  });
  const seen = new Set<string>();
  const missing: number[] = [];
  const txs = block.block.txHashes.map((id, position) => {
    const key = toHex(id);
    if (seen.has(key)) throw new ConsensusError('duplicate-tx', key, { txId: key });
    seen.add(key);
    const tx = supplied.get(key);
    if (tx !== undefined) return tx;
    const known = lookUp(id);
    if (known !== undefined) return parseTxBlob(known);
    missing.push(position);
    return undefined;
  });
  return { block, txs, missing };
}

/** Decodes a block that must be complete; see `matchTransactions`. */
export function parseBundle(bundle: BlockBundle): ParsedBundle {
  const partial = matchTransactions(parseBlockBlob(bundle.block), bundle, () => undefined);
  return completeBundle(partial);
}

/** Positions in tx_hashes of transactions whose prunable parts are missing. */
export function prunedPositions(txs: readonly (ParsedTransaction | undefined)[]): number[] {
  return txs.flatMap((tx, position) => (tx?.pruned === true ? [position] : []));
}

/** @throws ConsensusError 'missing-tx' */
export function completeBundle(partial: PartialBundle): ParsedBundle {
  const [first] = partial.missing;
  if (first !== undefined) {
    const id = partial.block.block.txHashes[first];
    throw new ConsensusError('missing-tx', id === undefined ? '' : toHex(id));
  }
  return { block: partial.block, txs: partial.txs as ParsedTransaction[] };
}
