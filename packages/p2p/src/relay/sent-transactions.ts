import type { Yielder } from '@monero-node/base';
import { DecodeError, parseTransaction, toHex } from '@monero-node/codec';
import type { Formats, ParsedBlock, ParsedTransaction } from '@monero-node/codec';
import { formatsOf, type Network } from '@monero-node/consensus';
import type { NewBlock } from '../messages/blocks.ts';
import { Violation } from '../peers/bans/violation.ts';

/** The reason to drop a peer for the transactions that it sent with a block. */
export class SentTransactionsError extends Error {
  override readonly name = 'SentTransactionsError';
  readonly violation: Violation;

  constructor(reason: string) {
    super(reason);
    this.violation = new Violation(reason, 0);
  }
}

/**
 * Returns the blobs of the transactions that came with a block, or the violation when they cannot be in it: there are too
 * many, they are pruned, or they have more bytes than the weight of a block may be. Nothing is decoded.
 *
 * @param limit bytes; the weight of a transaction is never below its size
 */
export function sentBlobs(
  parsed: ParsedBlock,
  { b: { txs, pruned } }: NewBlock,
  limit: number,
): readonly Uint8Array[] | Violation {
  if (txs.length > parsed.block.txHashes.length)
    return new Violation('a new block with more transactions than it lists', 0);
  const blobs = txs.filter((blob) => blob instanceof Uint8Array);
  if (pruned || blobs.length !== txs.length)
    return new Violation('a new block with a pruned transaction', 0);
  if (blobs.reduce((sum, blob) => sum + blob.length, 0) > limit)
    return new Violation('a new block with more bytes of transactions than a block may have', 0);
  return blobs;
}

/**
 * Decodes the blobs of the transactions that came with a block, in the formats of a network. Throws SentTransactionsError when one of
 * them is not in it.
 */
export async function decodeSent(
  network: Network,
  parsed: ParsedBlock,
  blobs: readonly Uint8Array[],
  yielder: Yielder,
): Promise<ParsedTransaction[]> {
  const wanted = new Set(parsed.block.txHashes.map(toHex));
  const sent: ParsedTransaction[] = [];
  for (const blob of blobs) {
    await yielder.yieldIfDue();
    const tx = tryParseTransaction(blob, formatsOf(network));
    if (tx === undefined || !wanted.has(toHex(tx.id)))
      throw new SentTransactionsError('a new block with a transaction that is not in it');
    sent.push(tx);
  }
  return sent;
}

function tryParseTransaction(blob: Uint8Array, formats: Formats): ParsedTransaction | undefined {
  try {
    return parseTransaction(blob, formats);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
