import { byHash, byNumber } from './comparisons.ts';
import { openFileBytes, type FileBytes } from './file-bytes.ts';
import { readUint64 } from './little-endian.ts';
import { locateMonerodDatabase } from './locate.ts';
import { holderOfLock } from './lock-holder.ts';
import { damaged, MonerodDatabaseError } from './monerod-database-error.ts';
import { PagedFile } from './paged-file.ts';
import { openTables, ROW_BYTES, type MonerodTables } from './tables.ts';

/** Monerod's record of a block, kept beside its bytes. */
export interface MonerodBlockInfo {
  /** 32 bytes. */
  readonly id: Uint8Array;
  readonly weight: number;
}

/** A transaction as monerod stores it. */
export interface MonerodTransaction {
  /** The prefix and, from version 2 on, the RingCT base. */
  readonly pruned: Uint8Array;
  /** The rest; undefined when it was pruned. */
  readonly prunable: Uint8Array | undefined;
}

/** Offsets in rows. Source: mdb_block_info_4 and txindex in src/blockchain_db/lmdb/db_lmdb.cpp. */
const INFO = { weight: 24, id: 48 };
const HASH_BYTES = 32;

/**
 * Reads the main chain in the database of a stopped monerod (`lmdb/data.mdb`), without its alternative blocks and its
 * pool. The file is opened for reading only. Transactions are numbered in the order of the chain, the coinbase of
 * each block first.
 *
 * Reads are synchronous, and every byte read may be wrong: damage throws MonerodDatabaseError, but the bytes of blocks and
 * transactions are for the caller to check.
 */
export class MonerodDatabase {
  /** Path of the data file. */
  readonly path: string;
  /** Number of blocks. */
  readonly height: number;
  /** Number of transactions, coinbases included. */
  readonly txCount: number;
  /** 384 to 391 for a pruned chain, 0 for any other; not checked. */
  readonly pruningSeed: number;
  readonly #bytes: FileBytes;
  readonly #file: PagedFile;
  readonly #tables: MonerodTables;

  /**
   * Opens the database of monerod in its data directory, in the folder of its network, or in its `lmdb` folder.
   *
   * Throws MonerodDatabaseError when there is none, a program has it open, or this class cannot read it.
   *
   * @param networkFolder name of the network's subfolder of the data directory; '' on mainnet
   */
  constructor(directory: string, networkFolder = '') {
    this.path = locateMonerodDatabase(directory, networkFolder);
    this.#checkUnused();
    this.#bytes = openFileBytes(this.path);
    try {
      this.#file = new PagedFile(this.#bytes);
      this.#tables = openTables(this.#file);
    } catch (error) {
      this.close();
      throw error;
    }
    this.height = this.#tables.height;
    this.txCount = this.#tables.txCount;
    this.pruningSeed = this.#tables.pruningSeed;
  }

  /** Returns the bytes of a block below {@link MonerodDatabase.height}. Throws MonerodDatabaseError. */
  blockBlob(height: number): Uint8Array {
    const blob = this.#tables.blocks.value(byNumber(height));
    if (blob === undefined) throw damaged(`block ${height} is missing`);
    return blob;
  }

  /** Returns the record of a block below {@link MonerodDatabase.height}. Throws MonerodDatabaseError. */
  blockInfo(height: number): MonerodBlockInfo {
    const row = this.#tables.blockInfo.find(byNumber(height));
    if (row === undefined) throw damaged(`the record of block ${height} is missing`);
    const weight = readUint64(row, INFO.weight);
    if (!Number.isSafeInteger(weight)) throw damaged(`block ${height} weighs ${weight}`);
    return { id: row.subarray(INFO.id, INFO.id + HASH_BYTES), weight };
  }

  /** Returns the height of a block of the main chain, by its 32-byte id. Throws MonerodDatabaseError. */
  heightOf(id: Uint8Array): number | undefined {
    const row = this.#tables.blockHeights.find(byHash(id));
    return row === undefined ? undefined : readUint64(row, HASH_BYTES);
  }

  /** Returns the number of a transaction, by its 32-byte id. Throws MonerodDatabaseError. */
  numberOf(id: Uint8Array): number | undefined {
    const row = this.#tables.txIndices.find(byHash(id));
    return row === undefined ? undefined : readUint64(row, HASH_BYTES);
  }

  /** Returns a transaction by its number, below {@link txCount}. Throws MonerodDatabaseError. */
  transaction(number: number): MonerodTransaction {
    const pruned = this.#tables.txsPruned.value(byNumber(number));
    if (pruned === undefined) throw damaged(`transaction ${number} is missing`);
    return { pruned, prunable: this.#tables.txsPrunable.value(byNumber(number)) };
  }

  /** Returns the 32-byte hash of what {@link transaction} may lack; undefined in version 1. Throws MonerodDatabaseError. */
  prunableHash(number: number): Uint8Array | undefined {
    const rows = this.#tables.txsPrunableHash.rows(byNumber(number), ROW_BYTES.prunableHash);
    return rows?.only();
  }

  /** Throws MonerodDatabaseError `in-use` when a program opened the database, or wrote to it, since it was opened here. */
  checkUnused(): void {
    this.#checkUnused();
    if (this.#file.changed) {
      throw new MonerodDatabaseError(
        'in-use',
        `${this.path} was written to while it was read: stop monerod, and start again to go on`,
      );
    }
  }

  close(): void {
    this.#bytes.close();
  }

  /** The same as {@link MonerodDatabase.close}. */
  [Symbol.dispose](): void {
    this.close();
  }

  #checkUnused(): void {
    const holder = holderOfLock(this.path);
    if (holder === undefined) return;
    throw new MonerodDatabaseError(
      'in-use',
      `${this.path} is in use by process ${holder}: stop monerod first (its command exit, or monerod exit)`,
    );
  }
}
