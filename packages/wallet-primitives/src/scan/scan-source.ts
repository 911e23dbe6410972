import {
  type BlockCompleteEntry,
  outlineMinerTransaction,
  outlineTransaction,
  parseBlock,
  type ParsedTransaction,
  parsePrunedTransaction,
  parseTransaction,
  type TransactionOutline,
} from '@monero-node/codec';

/** A transaction to look at. It is parsed only if it brings something. */
export interface ScanSource {
  readonly outline: TransactionOutline;
  parse(): ParsedTransaction;
}

/** A block as `/get_blocks.bin` of a node returns it, with its transactions or their pruned forms. */
export type ScannableBlock = Pick<BlockCompleteEntry, 'block' | 'pruned' | 'txs'>;

/** A transaction of a block in a list. */
export interface BlockSource extends ScanSource {
  readonly blockIndex: number;
  /** 0 for the coinbase. */
  readonly transactionIndex: number;
}

/** Returns the outline of a parsed transaction. */
export function outlineOf({ tx }: ParsedTransaction): TransactionOutline {
  const { version, outputs, extra, inputs } = tx;
  const isCoinbase = inputs.length === 1 && inputs[0]?.kind === 'gen';
  return { version, outputs, extra, isCoinbase };
}

/** Returns the transactions of a block, its coinbase first. Throws DecodeError where an outline is malformed. */
export function blockSources(
  { block, pruned, txs }: ScannableBlock,
  blockIndex: number,
): BlockSource[] {
  const sources: BlockSource[] = [
    {
      blockIndex,
      transactionIndex: 0,
      outline: outlineMinerTransaction(block),
      parse: () => parseBlock(block).minerTx,
    },
  ];
  for (const tx of txs) {
    const blob = tx instanceof Uint8Array ? tx : tx.blob;
    sources.push({
      blockIndex,
      transactionIndex: sources.length,
      outline: outlineTransaction(blob),
      parse: () =>
        tx instanceof Uint8Array || pruned !== true
          ? parseTransaction(blob)
          : parsePrunedTransaction(blob, tx.prunable_hash),
    });
  }
  return sources;
}
