import {
  DecodeError,
  parseBlock,
  parsePrunedTransaction,
  parseTransaction,
  type ParsedBlock,
  type ParsedTransaction,
} from '@monero-node/codec';
import { ConsensusError } from '@monero-node/consensus';
import type { BlockBundle, IncomingBlock } from '../types.ts';

/**
 * Decodes a block and its transactions where they enter the node. Callers check the sizes of the blobs first.
 *
 * Throws ConsensusError 'bad-block-blob' or 'bad-tx-blob' when a blob does not decode.
 */
export function parseBundle(bundle: BlockBundle): IncomingBlock {
  const block = parseBlockBlob(bundle.block);
  return { block, txs: parseTransactions(bundle.txs, bundle.prunableHashes) };
}

/** Decodes a block blob. Throws ConsensusError 'bad-block-blob'. */
function parseBlockBlob(blob: Uint8Array): ParsedBlock {
  try {
    return parseBlock(blob);
  } catch (error) {
    if (error instanceof DecodeError) throw new ConsensusError('bad-block-blob', error.message);
    throw error;
  }
}

/**
 * Decodes the blobs of the transactions that came with a block.
 *
 * Throws ConsensusError 'bad-tx-blob' when a blob does not decode.
 *
 * @param prunableHashes for each blob the 32-byte hash of the part it lacks; zeros when it lacks none
 */
export function parseTransactions(
  blobs: readonly Uint8Array[],
  prunableHashes?: readonly Uint8Array[],
): ParsedTransaction[] {
  return blobs.map((blob, i) => parseTransactionBlob(blob, prunableHashes?.[i]));
}

/**
 * Decodes a transaction: a full blob, or one without its prunable part when the 32-byte hash of that part is given
 * and not zero. Throws ConsensusError 'bad-tx-blob' when the blob does not decode.
 */
export function parseTransactionBlob(
  blob: Uint8Array,
  prunableHash?: Uint8Array,
): ParsedTransaction {
  try {
    return prunableHash === undefined || prunableHash.every((byte) => byte === 0)
      ? parseTransaction(blob)
      : parsePrunedTransaction(blob, prunableHash);
  } catch (error) {
    if (error instanceof DecodeError) throw new ConsensusError('bad-tx-blob', error.message);
    throw error;
  }
}
