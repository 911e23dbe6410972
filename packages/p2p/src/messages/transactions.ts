import { defineMessage, field } from '@monero-node/codec';
import type { MessageOf } from '@monero-node/codec';

/** 2002: new transactions. */
export const NEW_TRANSACTIONS = defineMessage({
  /** Padding, spaces. */
  _: field.string(),
  /** False marks a message in the stem phase; absent counts as true. */
  dandelionpp_fluff: field.bool({ optional: true }),
  txs: field.blobs(),
});
export type NewTransactions = MessageOf<typeof NEW_TRANSACTIONS>;

/** 2010: asks for the pool transactions that are not among these; answered by 2002. */
export const TXPOOL_COMPLEMENT = defineMessage({ hashes: field.pods(32) });
export type TxpoolComplement = MessageOf<typeof TXPOOL_COMPLEMENT>;
