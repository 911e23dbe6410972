/**
 * The records a store keeps of the chain.
 *
 * Conventions: hashes and keys are 32-byte `Uint8Array`s; heights, counts, weights, timestamps (seconds since 1970)
 * and global output indices are safe integers; amounts (atomic units), difficulties, coins and unlock times are
 * `bigint`.
 */

/** The record of a main-chain block, kept beside its bytes. */
export interface BlockMeta {
  height: number;
  id: Uint8Array;
  /** Seconds since 1970, as the header claims. */
  timestamp: number;
  weight: number;
  longTermWeight: number;
  /** Below 2^128. */
  cumulativeDifficulty: bigint;
  /** Atomic units emitted up to and including this block, below 2^64. */
  generatedCoins: bigint;
  /** Non-coinbase transactions up to and including this block. */
  cumulativeTxCount: number;
  /** The running count served by `get_output_distribution`; not always the length of the RCT list. */
  cumulativeRctOutputs: number;
  majorVersion: number;
  minorVersion: number;
}

/** A transaction of the main chain, split where pruning would cut it. */
export interface StoredTx {
  id: Uint8Array;
  /** The base form: the prefix and, for version 2, the RCT base. */
  pruned: Uint8Array;
  /** The rest of the full blob; empty when there is none, or when it was `dropped`. */
  prunable: Uint8Array;
  /** Set when the transaction has a prunable part that the store does not hold. */
  dropped?: true;
  /** 32 bytes; zeros for version 1. */
  prunableHash: Uint8Array;
}

/** The transactions of a block: the coinbase first, then in the order of the block's hash list. */
export interface BlockTxs {
  /** 32 bytes each. */
  readonly ids: Uint8Array;
  /** The bytes of each: its base form, then the rest, unless there is none or it was dropped. */
  readonly blobs: readonly Uint8Array[];
  /** Bytes of each base form. */
  readonly baseSizes: Uint32Array;
  /** 32 bytes each; zeros for version 1. */
  readonly prunableHashes: Uint8Array;
  /** 1 for each that has a prunable part which its blob lacks, 0 for the others. */
  readonly dropped: Uint8Array;
}

/** The outputs of a block, to be numbered and stored: transaction by transaction. */
export interface BlockOutputs {
  /** Number of outputs of each transaction. */
  readonly counts: Uint32Array;
  /** The list that each output joins: 0 is the RCT list, otherwise the clear amount. */
  readonly amounts: BigUint64Array;
  readonly unlockTimes: BigUint64Array;
  /** The one-time public keys as in the transactions, even when they are not curve points: 32 bytes each. */
  readonly keys: Uint8Array;
  /** The commitments of those that join the RCT list, 32 bytes each, in their order. */
  readonly commitments: Uint8Array;
}

/**
 * One main-chain block, ready to be stored. Its parts lie in flat arrays, because a synchronization makes records of thousands of
 * transactions at once: an object for each output would keep the garbage collector busier than anything else.
 */
export interface BlockRecord {
  readonly meta: BlockMeta;
  readonly blob: Uint8Array;
  readonly txs: BlockTxs;
  readonly outputs: BlockOutputs;
  /** Of all transactions of the block, 32 bytes each. */
  readonly keyImages: Uint8Array;
}

/** An output of the main chain. */
export interface StoredOutput {
  key: Uint8Array;
  /** Present for the RCT list only. */
  commitment?: Uint8Array;
  unlockTime: bigint;
  /** Height of the block that made the output. */
  height: number;
}

/**
 * Takes outputs of the main chain one after another, so that none of them needs an object. The owner says where the next one
 * goes; a store fills in the rest.
 */
export interface OutputSlot {
  /** Gets the parts of the output, 32 bytes each. */
  readonly bytes: Uint8Array;
  /** Offset of its key. */
  keyAt: number;
  /** Offset of its commitment; nothing is written there for one of a clear amount. */
  commitmentAt: number;
  /** Offset of the id of the transaction that made it; absent when nobody asks for it. */
  txIdAt?: number | undefined;
  /** Whether it has a commitment: those of the RCT list do. */
  hasCommitment: boolean;
  unlockTime: bigint;
  /** Height of the block that made it. */
  height: number;
}

/** A block off the main chain, with its transactions. */
export interface AltBlock {
  id: Uint8Array;
  height: number;
  prevId: Uint8Array;
  cumulativeDifficulty: bigint;
  weight: number;
  generatedCoins: bigint;
  blob: Uint8Array;
  /** Full transaction blobs in the order of the block's hash list. */
  txs: readonly Uint8Array[];
}

/** Where the chain holds a transaction. */
export interface TxLocation {
  height: number;
  /** 0 is the coinbase. */
  position: number;
}

/** The transaction that made an output. */
export interface OutputOrigin {
  txId: Uint8Array;
  /** Of the transaction in its block; 0 is the coinbase. */
  txPosition: number;
  /** Index of the output in that transaction. */
  outputPosition: number;
}

/** An output list and its length. */
export interface AmountCount {
  amount: bigint;
  count: number;
}
