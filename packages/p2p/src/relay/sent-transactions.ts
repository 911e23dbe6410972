import { DecodeError, parseTransaction, toHex } from '@monero-node/codec';
import type { ParsedBlock, ParsedTransaction } from '@monero-node/codec';
import type { NewBlock } from '../messages/blocks.ts';
import { Violation } from '../peers/violation.ts';

/** Returns the decoded transactions that came with a block, or the violation. Their number is bounded by the block. */
export function transactionsSent(
  parsed: ParsedBlock,
  { b: { txs, pruned } }: NewBlock,
): ParsedTransaction[] | Violation {
  const wanted = new Set(parsed.block.txHashes.map(toHex));
  if (txs.length > wanted.size)
    return new Violation('a new block with more transactions than it lists', 0);
  const sent: ParsedTransaction[] = [];
  for (const blob of txs) {
    if (pruned || !(blob instanceof Uint8Array))
      return new Violation('a new block with a pruned transaction', 0);
    const tx = tryParseTransaction(blob);
    if (tx === undefined || !wanted.has(toHex(tx.id)))
      return new Violation('a new block with a transaction that is not in it', 0);
    sent.push(tx);
  }
  return sent;
}

function tryParseTransaction(blob: Uint8Array): ParsedTransaction | undefined {
  try {
    return parseTransaction(blob);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
