import type { PageUse } from './page-use.ts';
import type {
  AltBlock,
  AmountCount,
  BlockMeta,
  OutputOrigin,
  OutputSlot,
  StoredOutput,
  StoredTx,
  TxLocation,
} from './records.ts';
import type { StoredTreeReader } from './tree-store.ts';

/** Ids, key images and outputs that a caller is about to look up. */
export interface Lookups {
  /** 32 bytes each. */
  readonly txIds: readonly Uint8Array[];
  /** 32 bytes each. */
  readonly keyImages: readonly Uint8Array[];
  /** Global indices of outputs, by the list: 0 is the RCT list, otherwise the clear amount. */
  readonly outputs: ReadonlyMap<bigint, readonly number[]>;
}

/**
 * Reads the chain, the alternative blocks and the named properties.
 *
 * Reads are synchronous and show the state after the last commit whose promise has resolved. Every array returned
 * belongs to the caller: it stays valid and may be changed. Throws StorageError `closed` after the store was closed,
 * `damaged` when the stored data is inconsistent, and `io` when the database fails.
 */
export interface ChainReader {
  /** Number of blocks committed. */
  readonly height: number;

  blockMeta(height: number): BlockMeta | undefined;
  blockBlob(height: number): Uint8Array | undefined;
  /** Returns the metas of heights `from` ≤ h < `to`, omitting those outside the chain. About 2 µs each. */
  blockMetas(from: number, to: number): BlockMeta[];
  /** Returns the height of a main-chain block by its 32-byte id. */
  heightOf(id: Uint8Array): number | undefined;

  txLocation(id: Uint8Array): TxLocation | undefined;
  /**
   * Returns up to `limit` ids of main-chain transactions, ascending by their bytes, starting above `after`
   * (32 bytes; from the lowest when undefined). About 0.3 µs each when in memory.
   */
  txIds(after: Uint8Array | undefined, limit: number): Uint8Array[];
  /** Returns all transactions of a block, coinbase first; an empty list above the chain. */
  blockTxs(height: number): StoredTx[];
  tx(height: number, position: number): StoredTx | undefined;
  /** Returns what `tx` returns as `pruned`, and reads no prunable part for it. */
  txBase(height: number, position: number): Uint8Array | undefined;
  /** Returns the global indices of a transaction's outputs, in output order; an empty list if it does not exist. */
  outputIndices(height: number, position: number): number[];

  /** Returns an output by its list and its global index in that list. */
  output(amount: bigint, index: number): StoredOutput | undefined;
  /** Reads an output into a slot, which makes no object; returns whether there is one, else the slot stays as it is. */
  readOutput(slot: OutputSlot, amount: bigint, index: number): boolean;
  /**
   * Returns the transaction that made an output. `height` is that of its block, if `output` has told it: the answer comes
   * faster then.
   */
  outputOrigin(amount: bigint, index: number, height?: number): OutputOrigin | undefined;
  /** Returns the length of an amount's list, now or when the chain had `belowHeight` blocks. */
  outputCount(amount: bigint, belowHeight?: number): number;
  /** Returns the lists that are not empty, by ascending amount. */
  amounts(): Iterable<AmountCount>;
  /** Returns the height of the block that spent a key image. */
  keyImageHeight(keyImage: Uint8Array): number | undefined;

  /**
   * Reads rows from the disk before they are looked up, on other threads and several at a time, so that the look-ups need not
   * wait for it. Resolves when they are in memory; unknown ids and indices do no harm. Does nothing, and does not call
   * `lookups`, when the store fits into half of the machine's memory, when another process writes to it, and when it is
   * closed. Never rejects.
   *
   * @param signal drops what has not been read yet
   */
  prefetch(lookups: () => Lookups, signal?: AbortSignal): Promise<void>;

  altBlock(id: Uint8Array): AltBlock | undefined;
  /** Returns all alternative blocks, in no particular order. */
  altBlocks(): AltBlock[];
  /** Length of the list that `altBlocks` returns. */
  readonly altBlockCount: number;

  /** The curve tree; without indexes where the chain keeps none. */
  readonly tree: StoredTreeReader;

  property(name: string): Uint8Array | undefined;

  /** Bytes in use on disk; 0 for a store in memory. */
  readonly sizeOnDisk: number;
  /** Returns how the pages of the file are used, in less than a millisecond; zeros for a store in memory. */
  pageUse(): PageUse;
}
