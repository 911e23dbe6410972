import { inSlices, type Yielder } from '@monero-node/base';
import {
  DecodeError,
  parseBlock,
  parseBlockSteps,
  parseTransactionLazily,
  type Formats,
  type OutlinedTransactions,
  type ParsedBlock,
  type ParsedTransaction,
  type TransactionBytes,
} from '@monero-node/codec';
import { ConsensusError, formatsOf, MAX_TX_SIZE, type Network } from '@monero-node/consensus';
import type { BlockBundle, IncomingBlock } from '../types.ts';

/**
 * Decodes a block and its transactions where they enter the node. Callers check the sizes of the blobs first.
 *
 * Throws ConsensusError 'bad-block-blob' or 'bad-tx-blob' when a blob does not decode.
 */
export function parseBundle(bundle: BlockBundle): IncomingBlock {
  const block = parseBlockBlob(bundle.block, bundle.formats);
  return { block, txs: parseTransactions(bundle) };
}

/**
 * Decodes and hashes a block from outside, in slices. Returns undefined when the bytes are not a block, or list more
 * transactions than `maxTxs`.
 *
 * @param network whose formats are read
 */
export async function tryParseBlock(
  network: Network,
  blob: Uint8Array,
  yielder: Yielder,
  maxTxs = Infinity,
): Promise<ParsedBlock | undefined> {
  try {
    return await inSlices(parseBlockSteps(blob, maxTxs, formatsOf(network)), yielder);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** Decodes a block blob. Throws ConsensusError 'bad-block-blob'. */
function parseBlockBlob(blob: Uint8Array, formats?: Formats): ParsedBlock {
  try {
    return parseBlock(blob, formats);
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
 * @param outlines of these transactions, if another thread has made them
 */
export function parseTransactions(
  { txs, prunableHashes, formats }: Omit<BlockBundle, 'block'>,
  outlines?: { readonly of: OutlinedTransactions; readonly first: number },
): ParsedTransaction[] {
  return txs.map((blob, i) => {
    const prunableHash = prunableHashes?.[i];
    const isOutlined = outlines !== undefined && blob.length <= MAX_TX_SIZE;
    const outlined = isOutlined
      ? outlines.of.at(outlines.first + i, bytesToParse(blob, prunableHash), formats)
      : undefined;
    return outlined ?? parseTransactionBlob(blob, formats, prunableHash);
  });
}

/**
 * Returns a blob with the 32-byte hash of the part it lacks. Peers give a hash of zeros for a transaction that lacks none, which is
 * parsed as a full one.
 */
export function bytesToParse(blob: Uint8Array, prunableHash?: Uint8Array): TransactionBytes {
  const isFull = prunableHash === undefined || prunableHash.every((byte) => byte === 0);
  return isFull ? { blob } : { blob, prunableHash };
}

/**
 * Decodes a transaction: a full blob, or one without its prunable part when the 32-byte hash of that part is given
 * and not zero. Throws ConsensusError 'bad-tx-blob' when the blob does not decode or has more than 1,000,000 bytes: it is
 * not known to be the block's transaction yet, so the block is not to blame.
 * Source of the limit: handle_incoming_tx_pre in src/cryptonote_core/cryptonote_core.cpp
 */
export function parseTransactionBlob(
  blob: Uint8Array,
  formats?: Formats,
  prunableHash?: Uint8Array,
): ParsedTransaction {
  if (blob.length > MAX_TX_SIZE) {
    throw new ConsensusError('bad-tx-blob', `${blob.length} bytes, the limit is ${MAX_TX_SIZE}`);
  }
  try {
    return parseTransactionLazily(blob, bytesToParse(blob, prunableHash).prunableHash, formats);
  } catch (error) {
    if (error instanceof DecodeError) throw new ConsensusError('bad-tx-blob', error.message);
    throw error;
  }
}
