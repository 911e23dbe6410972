import type { StorageValue } from '../storage/types.ts';
import { field } from './fields.ts';
import { defineMessage, type MessageOf, type MessageSchema } from './message.ts';

/** A transaction inside a pruned block entry. */
export const TX_BLOB_ENTRY = defineMessage({
  /** The base form of the transaction. */
  blob: field.blob(),
  prunable_hash: field.pod(32),
});
export type TxBlobEntry = MessageOf<typeof TX_BLOB_ENTRY>;

/** A block with its transactions, as messages 2001, 2004 and 2008 and get_blocks.bin carry it. */
export interface BlockCompleteEntry {
  block: Uint8Array;
  /** 0 when not given. */
  block_weight: number;
  /** Whether `txs` are base forms with the hashes of what was cut off. */
  pruned: boolean;
  /** In the order of the block's tx_hashes. Without pruning `prunable_hash` is zeros and not sent. */
  txs: TxBlobEntry[];
}

const FRAME = defineMessage({
  block: field.blob(),
  block_weight: field.num64({ optional: 0 }),
  pruned: field.bool({ optional: false }),
  txs: field.raw(),
});
const PRUNED_TXS = field.objects(TX_BLOB_ENTRY);
const FULL_TXS = field.blobs();

/**
 * On the wire `txs` is an array of objects when `pruned` is set and of strings otherwise; `pruned` decides
 * which of them is read. Source: src/cryptonote_protocol/cryptonote_protocol_defs.h.
 */
export const BLOCK_COMPLETE_ENTRY: MessageSchema<BlockCompleteEntry> = {
  fromSection(section) {
    const frame = FRAME.fromSection(section);
    const txs = frame.pruned
      ? PRUNED_TXS.read(frame.txs)
      : FULL_TXS.read(frame.txs).map(unprunedEntry);
    return { ...frame, txs };
  },
  toSection(entry) {
    return FRAME.toSection({ ...entry, txs: writeTxs(entry) });
  },
};

function unprunedEntry(blob: Uint8Array): TxBlobEntry {
  return { blob, prunable_hash: new Uint8Array(32) };
}

function writeTxs(entry: BlockCompleteEntry): StorageValue | undefined {
  return entry.pruned
    ? PRUNED_TXS.write(entry.txs)
    : FULL_TXS.write(entry.txs.map((tx) => tx.blob));
}
