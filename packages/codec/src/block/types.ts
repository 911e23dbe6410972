import type { ParsedTransaction, Transaction } from '../transaction/types.ts';

/** The header of a block. Source: block_header in src/cryptonote_basic/cryptonote_basic.h. */
export interface BlockHeader {
  /** Hard-fork version, 0 … 255. */
  majorVersion: number;
  /** Vote for a hard-fork version, 0 … 255. */
  minorVersion: number;
  /** Seconds since 1970. */
  timestamp: number;
  prevId: Uint8Array;
  /** Unsigned, 32 bits. */
  nonce: number;
}

export interface Block extends BlockHeader {
  minerTx: Transaction;
  /** Ids of the other transactions, in order. */
  txHashes: Uint8Array[];
}

/** A block with its bytes and hashes. */
export interface ParsedBlock {
  block: Block;
  /** The canonical bytes: the input itself unless its last varint was cut off (see ParsedTransaction.blob). */
  blob: Uint8Array;
  id: Uint8Array;
  minerTx: ParsedTransaction;
  /** The bytes that proof of work is computed over: header, tree hash of the ids, count of transactions. */
  hashingBlob: Uint8Array;
}
