import { BoundedMap } from '@monero-node/base';
import type { BlockMeta } from '../../records.ts';
import { RowReader, RowWriter } from './rows.ts';

/**
 * Size of a `block_meta` row in bytes. Its fields: id, timestamp, weight, long-term weight, cumulative difficulty
 * (16 bytes), generated coins, cumulative transaction count, cumulative RCT outputs,
 * length of the RCT list after the block (uint32), major and minor version.
 */
const SIZE = 32 + 8 + 8 + 8 + 16 + 8 + 8 + 8 + 4 + 1 + 1;
const RCT_LIST_LENGTH_AT = SIZE - 6;

/**
 * Returns the `block_meta` row of a block, 102 bytes.
 * @param rctListLength length of the RCT list including the block's outputs
 */
export function encodeMeta(meta: BlockMeta, rctListLength: number): Uint8Array {
  const row = new RowWriter(SIZE);
  row.put(meta.id);
  row.u64(meta.timestamp);
  row.u64(meta.weight);
  row.u64(meta.longTermWeight);
  row.u128(meta.cumulativeDifficulty);
  row.u64(meta.generatedCoins);
  row.u64(meta.cumulativeTxCount);
  row.u64(meta.cumulativeRctOutputs);
  row.u32(rctListLength);
  row.u8(meta.majorVersion);
  row.u8(meta.minorVersion);
  return row.bytes;
}

/** Reads a `block_meta` row of 102 bytes; `height` is its key. Throws StorageError `damaged`. */
export function decodeMeta(height: number, bytes: Uint8Array): BlockMeta {
  const row = new RowReader('block_meta', bytes);
  const id = row.bytes(32);
  const timestamp = row.num64();
  const weight = row.num64();
  const longTermWeight = row.num64();
  const cumulativeDifficulty = row.u128();
  const generatedCoins = row.u64();
  const cumulativeTxCount = row.num64();
  const cumulativeRctOutputs = row.num64();
  row.skip(4);
  const majorVersion = row.u8();
  const minorVersion = row.u8();
  row.end();
  return {
    height,
    id,
    timestamp,
    weight,
    longTermWeight,
    cumulativeDifficulty,
    generatedCoins,
    cumulativeTxCount,
    cumulativeRctOutputs,
    majorVersion,
    minorVersion,
  };
}

/** Returns the length of the RCT list after the block, from its `block_meta` row of 102 bytes. Throws StorageError `damaged`. */
export function rctListLengthOf(bytes: Uint8Array): number {
  const row = new RowReader('block_meta', bytes);
  row.seek(RCT_LIST_LENGTH_AT);
  return row.u32();
}

/** About 1 MiB. Wallets and explorers ask for the newest blocks again and again, and for 1,000 of them at most. */
const MAX_KEPT = 2048;

/** Decoded rows of blocks that were read lately. Each is of the current chain: rows change only when their blocks are popped. */
export class MetaCache {
  readonly #kept = new BoundedMap<number, BlockMeta>(MAX_KEPT);

  /** Returns a copy of the block at a height, from `read` when it is not kept. */
  get(height: number, read: (height: number) => BlockMeta | undefined): BlockMeta | undefined {
    let meta = this.#kept.get(height);
    if (meta === undefined) {
      meta = read(height);
      if (meta === undefined) return undefined;
      this.#kept.set(height, meta);
    }
    return copyOf(meta);
  }

  /**
   * Follows a change of the chain. Call it when the change becomes visible.
   *
   * @param height of the chain before the change
   * @param base blocks that the change keeps
   * @param appended blocks that follow these
   */
  change(height: number, base: number, appended: readonly BlockMeta[]): void {
    if (height - base > MAX_KEPT) this.clear();
    else for (let at = base; at < height; at++) this.#kept.delete(at);
    for (const meta of appended.slice(-MAX_KEPT)) this.#kept.set(meta.height, copyOf(meta));
  }

  /** Call it when the chain may have become another one. */
  clear(): void {
    if (this.#kept.size > 0) this.#kept.clear();
  }
}

function copyOf(meta: BlockMeta): BlockMeta {
  return { ...meta, id: meta.id.slice() };
}
