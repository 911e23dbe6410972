import { blockId, encodeLooseBlock, parseLooseBlock } from '../chain/block.ts';
import type { RecordedBlock } from '../chain/chain-file.ts';

/** A block and its transactions, as bytes. */
export interface PlainBlock {
  readonly block: Uint8Array;
  readonly txs: readonly Uint8Array[];
}

export function plainBlocks(recorded: readonly RecordedBlock[]): PlainBlock[] {
  return recorded.map(({ block, txs }) => ({ block, txs }));
}

/** Returns a branch of `count` blocks that leaves the recorded chain at a height: its blocks with other nonces. */
export function ownBranch(
  recorded: readonly RecordedBlock[],
  fork: number,
  count: number,
): PlainBlock[] {
  let prevId: Buffer | undefined;
  return recorded.slice(fork, fork + count).map(({ block, txs }) => {
    if (txs.length > 0) throw new Error('the branch is made of blocks without transactions');
    const parsed = parseLooseBlock(block);
    const other = { ...parsed, nonce: parsed.nonce ^ 1, prevId: prevId ?? parsed.prevId };
    prevId = blockId(other);
    return { block: encodeLooseBlock(other), txs: [] };
  });
}
