import type { ParsedTransaction, Transaction } from '../transaction/types.ts';

/** The header of a block. Source: block_header in src/cryptonote_basic/cryptonote_basic.h. */
export interface BlockHeader {
  /** Hard-fork version, 0 … 255. */
  readonly majorVersion: number;
  /** Vote for a hard-fork version, 0 … 255. */
  readonly minorVersion: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly prevId: Uint8Array;
  /** Unsigned, 32 bits. */
  readonly nonce: number;
}

export interface Block extends BlockHeader {
  readonly minerTx: Transaction;
  /** Ids of the other transactions, in order. */
  readonly txHashes: readonly Uint8Array[];
  /** The curve tree that the block commits to: from version 17 on, in formats that have it. */
  readonly tree?: CurveTreeRoot | undefined;
}

/** The curve tree of a chain at one index. */
export interface CurveTreeRoot {
  /** 0 … 12; 0 for the empty tree. */
  readonly layers: number;
  /** 32 bytes; zeros for the empty tree. */
  readonly root: Uint8Array;
}

/** A block with its bytes and hashes. Do not change `blob`: a hash may be computed when it is first read. */
export interface ParsedBlock {
  readonly block: Block;
  /** The canonical bytes: the input itself unless its last varint was cut off (see ParsedTransaction.blob). */
  readonly blob: Uint8Array;
  readonly id: Uint8Array;
  readonly minerTx: ParsedTransaction;
  /** The bytes that proof of work is computed over: header, tree hash, count of transactions. */
  readonly hashingBlob: Uint8Array;
}
