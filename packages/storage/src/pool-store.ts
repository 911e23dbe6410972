/** The record of a pool transaction, kept beside its bytes. */
export interface PoolTxMeta {
  weight: number;
  /** Atomic units, below 2^64. */
  fee: bigint;
  /** Seconds since 1970. */
  receiveTime: number;
  /** Seconds since 1970; absent when never relayed. */
  lastRelayedTime?: number | undefined;
  maxUsedBlockHeight: number;
  maxUsedBlockId: Uint8Array;
  lastFailedHeight: number;
  lastFailedId: Uint8Array;
  /** The pool's number for the way the transaction came, below 256. */
  relayMethod: number;
  relayed: boolean;
  doubleSpendSeen: boolean;
  /** The fork version and the digest of ring members its proofs were verified against; absent until verified. */
  verified?: { version: number; ring: Uint8Array } | undefined;
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
 * One atomic step of the stored pool, applied in this order: removePool, putPool, updatePool.
 * The caller must not change it before the commit settles.
 */
export interface PoolChange {
  /** Ids; unknown ones are ignored. */
  removePool?: readonly Uint8Array[];
  /** Replaces a pool transaction of the same id. */
  putPool?: readonly NewPoolTx[];
  /** New records for pool transactions, whose bytes stay; unknown ids are ignored. */
  updatePool?: readonly PoolTx[];
}

/** Keeps the transaction pool through restarts. */
export interface PoolStore {
  /**
   * Iterates over the records of all pool transactions, in no particular order, without their blobs. The store is read in
   * steps, so the caller may take turns; of what changes meanwhile, any part may be in them.
   */
  poolTxs(): Iterable<PoolTx>;
  /** Returns the full blob of a pool transaction. */
  poolBlob(id: Uint8Array): Uint8Array | undefined;
  /**
   * Applies a change as one storage transaction, all or nothing. Rejects with a StorageError (`bad-record`,
   * `read-only`, `closed`, `io`) and leaves the store untouched.
   */
  commit(change: PoolChange): Promise<void>;
}
