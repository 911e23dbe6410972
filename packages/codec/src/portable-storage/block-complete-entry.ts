import { eitherOf, f, omitDefault, withDefault } from './fields.ts';
import { defineTable, type Field, type MessageOf, type Table } from './table.ts';

/** A transaction inside a pruned block entry. */
export interface TxBlobEntry {
  /** The pruned transaction, or the whole one when it has no prunable hash. */
  readonly blob: Uint8Array;
  /** 32 bytes; zeros for a transaction of version 1, which is never pruned. */
  readonly prunable_hash: Uint8Array;
}

type TxBlobFields = {
  readonly blob: Field<Uint8Array, Uint8Array, true>;
  readonly prunable_hash: Field<Uint8Array, Uint8Array, true>;
};
const TX_BLOB_ENTRY: Table<TxBlobFields> = defineTable({
  blob: f.blob(),
  prunable_hash: f.pod(32),
});

/** The transactions of an entry: whole, or pruned ones of a pruned entry. */
export type BlockEntryTxs = readonly Uint8Array[] | readonly TxBlobEntry[];

type BlockCompleteEntryFields = {
  readonly block: Field<Uint8Array, Uint8Array, true>;
  readonly block_weight: Field<number, number | bigint, false>;
  readonly pruned: Field<boolean, boolean, false>;
  readonly txs: Field<BlockEntryTxs, BlockEntryTxs, false>;
};

const TXS = eitherOf(f.blobs(), f.objects(TX_BLOB_ENTRY), isBlobList, {
  field: 'pruned',
  index: (pruned) => (pruned === true ? 1 : 0),
}) as Field<BlockEntryTxs, BlockEntryTxs, false>;

/**
 * A block with its transactions, in the order of its list of ids, as messages 2001, 2004 and 2008 and
 * `/get_blocks.bin` carry it. On the wire `txs` is an array of objects in a pruned entry and of strings
 * otherwise; a reader takes the form that `pruned` announces, and a writer the form of its list.
 * `block_weight` is 0 when not given.
 * Source: block_complete_entry in src/cryptonote_protocol/cryptonote_protocol_defs.h.
 */
export const BLOCK_COMPLETE_ENTRY: Table<BlockCompleteEntryFields> = defineTable({
  block: f.blob(),
  block_weight: omitDefault(f.safeU64()),
  pruned: omitDefault(f.bool()),
  txs: withDefault(TXS, []),
});
export type BlockCompleteEntry = MessageOf<typeof BLOCK_COMPLETE_ENTRY>;

function isBlobList(value: unknown): value is readonly Uint8Array[] {
  return Array.isArray(value) && (value.length === 0 || value[0] instanceof Uint8Array);
}
