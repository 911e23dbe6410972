import { defineTable, f, omitDefault, withDefault } from '@monero-node/codec/portable-storage';
import type { MessageOf } from '@monero-node/codec/portable-storage';
import { common, MIB, rare } from './command-row.ts';
import type { CommandRow } from './command-row.ts';

/** The commands that carry transactions or ask for them. */
export const TRANSACTION_COMMANDS = {
  newTransactions: {
    number: 2002,
    kind: 'notification',
    bodyLimit: 128 * MIB,
    cost: common(0.5),
    isForHidden: true,
  },
  txpoolComplement: {
    number: 2010,
    kind: 'notification',
    bodyLimit: 4 * MIB,
    cost: rare(50),
    hasLongAnswer: true,
  },
} as const satisfies Record<string, CommandRow>;

/** 2002: new transactions. Source: NOTIFY_NEW_TRANSACTIONS in src/cryptonote_protocol/cryptonote_protocol_defs.h. */
export const NEW_TRANSACTIONS = defineTable({
  /** Spaces, as padding. */
  _: f.text(),
  /** False marks a message in the stem phase; absent counts as true. */
  dandelionpp_fluff: omitDefault(withDefault(f.bool(), true)),
  txs: f.blobs(),
});
export type NewTransactions = MessageOf<typeof NEW_TRANSACTIONS>;

/**
 * 2010: asks for the pool transactions that are not among these; answered by 2002.
 * Source: NOTIFY_GET_TXPOOL_COMPLEMENT in src/cryptonote_protocol/cryptonote_protocol_defs.h.
 */
export const TXPOOL_COMPLEMENT = defineTable({ hashes: f.pods(32) });

/**
 * The same as this node sends and receives it: the 32-byte ids stay one blob, because 130,000 separate values would keep the
 * garbage collector busy. monerod ignores a blob of another length.
 */
export const JOINED_COMPLEMENT = defineTable({ hashes: omitDefault(f.blob()) });
export type JoinedComplement = MessageOf<typeof JOINED_COMPLEMENT>;
