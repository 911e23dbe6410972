/**
 * The ChainStore contract: what the chain needs from a database, and nothing about rules.
 *
 * Conventions: hashes and keys are 32-byte `Uint8Array`s; heights, counts, weights, timestamps (s)
 * and global output indices are safe integers; amounts, difficulties, coins and unlock times are
 * `bigint`. Every array returned is the caller's own: it stays valid and may be changed.
 */

/** What is kept of every main-chain block besides its bytes. */
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

/** A transaction split where pruning would cut it. */
export interface StoredTx {
  id: Uint8Array;
  /** The base form: prefix and, for v2, the RCT base. */
  pruned: Uint8Array;
  /** What follows the base form in the full blob; may be empty, and is when it was `dropped`. */
  prunable: Uint8Array;
  /** Set when the prunable part is not held (any more), although there is one. */
  dropped?: true;
  /** 32 bytes; zeros for version 1. */
  prunableHash: Uint8Array;
}

/** An output to be numbered and stored. */
export interface NewOutput {
  /** Which list it joins: 0 is the RCT list, otherwise the clear amount. */
  amount: bigint;
  /** The one-time public key as it stands in the transaction, even when it is no point. */
  key: Uint8Array;
  /** Required when `amount` is 0, absent otherwise. */
  commitment?: Uint8Array;
  unlockTime: bigint;
}

/** One main-chain block, ready to be stored. */
export interface BlockRecord {
  meta: BlockMeta;
  blob: Uint8Array;
  /** The coinbase first, then in the order of the block's hash list. */
  txs: readonly StoredTx[];
  /** Per transaction, in the same order. */
  outputs: readonly (readonly NewOutput[])[];
  /** Of all transactions of the block. */
  keyImages: readonly Uint8Array[];
}

export interface StoredOutput {
  key: Uint8Array;
  /** Present for the RCT list only. */
  commitment?: Uint8Array;
  unlockTime: bigint;
  /** Height of the block that made the output. */
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

/** What is kept of a transaction of the pool besides its bytes. */
export interface PoolTxMeta {
  weight: number;
  /** Atomic units, below 2^64. */
  fee: bigint;
  /** Seconds since 1970. */
  receiveTime: number;
  /** Seconds since 1970; absent: never relayed. */
  lastRelayedTime?: number;
  maxUsedBlockHeight: number;
  maxUsedBlockId: Uint8Array;
  lastFailedHeight: number;
  lastFailedId: Uint8Array;
  /** The pool's number of how the transaction came, below 256. */
  relayMethod: number;
  relayed: boolean;
  doubleSpendSeen: boolean;
  /** What its proofs were verified against: fork version and a digest of ring members; absent: not yet. */
  verified?: { version: number; ring: Uint8Array };
}

/** A transaction of the pool. */
export interface PoolTx {
  id: Uint8Array;
  meta: PoolTxMeta;
}

/** A transaction of the pool with its bytes. */
export interface NewPoolTx extends PoolTx {
  /** The full blob. */
  blob: Uint8Array;
}

/**
 * One atomic step of the chain, applied in this order: pop, prune, append, removeAlt, putAlt, removePool,
 * putPool, updatePool.
 * It must not be changed by the caller before the commit settles.
 */
export interface ChainChange {
  /** Chain height after popping and before appending. */
  popTo?: number;
  append?: readonly BlockRecord[];
  /**
   * Heights, below the appended blocks, of which the prunable parts are dropped for good. Those of version 1
   * transactions stay.
   */
  prune?: readonly number[];
  /** Replaces an alternative block of the same id. */
  putAlt?: readonly AltBlock[];
  /** Ids; unknown ones are ignored. */
  removeAlt?: readonly Uint8Array[];
  /** Ids; unknown ones are ignored. */
  removePool?: readonly Uint8Array[];
  /** Replaces a pool transaction of the same id. */
  putPool?: readonly NewPoolTx[];
  /** New records for pool transactions, whose bytes stay; those that are not there are ignored. */
  updatePool?: readonly PoolTx[];
}

export interface TxLocation {
  height: number;
  /** 0 is the coinbase. */
  position: number;
}

export interface OutputOrigin {
  txId: Uint8Array;
  /** Which output of that transaction. */
  outputPosition: number;
}

export interface AmountCount {
  amount: bigint;
  count: number;
}

/**
 * The chain, the alternative blocks, the transaction pool and a few named properties.
 *
 * Reads are synchronous and show the state after the last commit whose promise has resolved.
 * After `close()` every call throws (or rejects with) a StorageError `closed`.
 */
export interface ChainStore {
  /** Number of blocks committed. */
  readonly height: number;

  /**
   * Applies a change as one storage transaction, all or nothing. Commits are serialised in the
   * order of the calls. Rejects with a StorageError (`duplicate-key-image`, `duplicate-tx`,
   * `duplicate-block`, `bad-height`, `bad-record`, `read-only`, `closed`, `io`) and leaves the
   * store untouched.
   *
   * Long changes are prepared in short stretches, but are handed to the database in one: LMDB needs
   * about 2 µs a row of the calling thread for it, so that a span of 100 blocks of 40 transactions
   * (19,000 rows) keeps it for some 25 ms. Pop thousands of blocks in several commits.
   */
  commit(change: ChainChange): Promise<void>;

  blockMeta(height: number): BlockMeta | undefined;
  blockBlob(height: number): Uint8Array | undefined;
  /** Metas of heights `from` ≤ h < `to`; what lies outside the chain is left out. Some 2 µs each. */
  blockMetas(from: number, to: number): BlockMeta[];
  heightOf(id: Uint8Array): number | undefined;

  txLocation(id: Uint8Array): TxLocation | undefined;
  /**
   * Up to `limit` ids of transactions of the chain, ascending by their bytes, from the first one above `after`
   * (32 bytes; from the lowest when undefined). Some 0.3 µs each when in memory.
   */
  txIds(after: Uint8Array | undefined, limit: number): Uint8Array[];
  /** All transactions of a block, coinbase first; empty above the chain. */
  blockTxs(height: number): StoredTx[];
  tx(height: number, position: number): StoredTx | undefined;
  /** Global indices of a transaction's outputs, in output order; empty if there is no such transaction. */
  outputIndices(height: number, position: number): number[];

  output(amount: bigint, index: number): StoredOutput | undefined;
  outputOrigin(amount: bigint, index: number): OutputOrigin | undefined;
  /** Length of an amount's list, or what it was when the chain had `belowHeight` blocks. */
  outputCount(amount: bigint, belowHeight?: number): number;
  /** The lists that are not empty, by ascending amount. */
  amounts(): Iterable<AmountCount>;
  /** Height of the block that spent it. */
  keyImageHeight(keyImage: Uint8Array): number | undefined;

  altBlock(id: Uint8Array): AltBlock | undefined;
  /** In no particular order. */
  altBlocks(): AltBlock[];
  /** How many blocks `altBlocks` would give. */
  readonly altBlockCount: number;

  /** Records of all pool transactions, in no particular order; without their bytes, which may be many. */
  poolTxs(): PoolTx[];
  /** Full blob of a pool transaction. */
  poolBlob(id: Uint8Array): Uint8Array | undefined;

  property(name: string): Uint8Array | undefined;
  /** Stores or, with undefined, removes a named value (name of 1 to 255 bytes in UTF-8). */
  setProperty(name: string, value: Uint8Array | undefined): Promise<void>;

  /** Bytes in use on disk; 0 for a store in memory. */
  readonly sizeOnDisk: number;
  /** Resolves when everything committed so far has reached the disk, whatever the sync mode. */
  sync(): Promise<void>;
  /** Waits for pending commits and releases everything. May be called twice. */
  close(): Promise<void>;
}

/**
 * What a power cut may cost (a killed process costs nothing in any mode):
 * see `openLmdbStore`.
 */
export type SyncMode = 'safe' | 'fast' | 'fastest';

export interface LmdbStoreOptions {
  /** Directory of the store; made if missing (unless read-only). */
  path: string;
  /** `fast` when absent. */
  syncMode?: SyncMode;
  /** Neither takes the process lock nor writes; may be open beside a writer. */
  readOnly?: boolean;
  /**
   * How many transaction ids and key images may wait in memory before they are written to their
   * tables: an eighth of what the tables hold, but at most this, 2^20 when absent (about 80 MiB).
   * The more, the fewer pages a commit touches.
   */
  waitingHashes?: number;
}
