import { byBytes, byName, byNumber } from './comparisons.ts';
import { damaged, MonerodDatabaseError } from './monerod-database-error.ts';
import type { PagedFile } from './paged-file.ts';
import { Tree, type Rows } from './tree.ts';

/** The version of monerod's tables that is read. Source: VERSION in src/blockchain_db/lmdb/db_lmdb.cpp. */
const TABLES_VERSION = 5;

/** Flags of tables: MDB_DUPSORT, MDB_INTEGERKEY and MDB_DUPFIXED in lmdb.h. */
const NUMBERED = 0x08;
const ROWS = 0x04 | 0x08 | 0x10;

/** Bytes of the rows of tables. Source: mdb_block_info_4, blk_height and txindex in db_lmdb.cpp. */
export const ROW_BYTES = { blockInfo: 96, blockHeight: 40, txIndex: 56, prunableHash: 32 } as const;

/** The tables of monerod that hold the main chain. */
export interface MonerodTables {
  /** Height → blob. */
  readonly blocks: Tree;
  /** Rows of height, timestamp, coins, weight, difficulty (128 bits), id, RingCT outputs, long-term weight. */
  readonly blockInfo: Rows;
  /** Rows of block id and height. */
  readonly blockHeights: Rows;
  /** Rows of transaction id, number, unlock time and height. */
  readonly txIndices: Rows;
  /** Number of the transaction → its prefix and, from version 2 on, the RingCT base. */
  readonly txsPruned: Tree;
  /** Number of the transaction → the rest; absent for a transaction that was pruned. */
  readonly txsPrunable: Tree;
  /** Number of the transaction → hash of the rest, from version 2 on. */
  readonly txsPrunableHash: Tree;
  /** Number of blocks. */
  readonly height: number;
  /** Number of transactions, coinbases included. */
  readonly txCount: number;
  /** 0 for a chain that was not pruned. */
  readonly pruningSeed: number;
}

interface Table {
  readonly tree: Tree;
  readonly entries: number;
}

/**
 * Opens the tables of the main chain.
 *
 * Throws MonerodDatabaseError `unknown-version` when another version of monerod wrote them, `damaged` when one is missing
 * or they do not belong together.
 */
export function openTables(file: PagedFile): MonerodTables {
  const names = new Tree(file, file.meta.tables);
  const pruningSeed = readProperties(names, file);
  const open = (name: string, flags: number): Table => openTable(names, file, name, flags);
  const blocks = open('blocks', NUMBERED);
  const info = open('block_info', ROWS);
  const heights = open('block_heights', ROWS);
  const indices = open('tx_indices', ROWS);
  const pruned = open('txs_pruned', NUMBERED);
  const height = blocks.entries;
  if (height === 0)
    throw new MonerodDatabaseError('not-found', 'the database of monerod holds no blocks');
  if (info.entries !== height || heights.entries !== height) {
    throw damaged(`${height} blocks, ${info.entries} records and ${heights.entries} ids of blocks`);
  }
  if (indices.entries !== pruned.entries || pruned.entries < height) {
    throw damaged(`${pruned.entries} transactions, ${indices.entries} ids of transactions`);
  }
  return {
    blocks: blocks.tree,
    blockInfo: rowsOf(info, ROW_BYTES.blockInfo),
    blockHeights: rowsOf(heights, ROW_BYTES.blockHeight),
    txIndices: rowsOf(indices, ROW_BYTES.txIndex),
    txsPruned: pruned.tree,
    txsPrunable: open('txs_prunable', NUMBERED).tree,
    txsPrunableHash: open('txs_prunable_hash', ROWS).tree,
    height,
    txCount: pruned.entries,
    pruningSeed,
  };
}

/** Checks the version of the tables; returns the pruning seed. */
function readProperties(names: Tree, file: PagedFile): number {
  const record = names.record(byBytes(Buffer.from('properties')));
  if (record === undefined) {
    throw new MonerodDatabaseError('unknown-version', 'this is not a database of monerod');
  }
  const properties = new Tree(file, record);
  const version = numberIn(properties, 'version');
  if (version !== TABLES_VERSION) {
    const advice =
      version === undefined || version > TABLES_VERSION
        ? 'it needs a newer version of this program'
        : 'start monerod 0.18 once to bring it up to date';
    throw new MonerodDatabaseError(
      'unknown-version',
      `the database has version ${version ?? 'unknown'} of monerod's tables, not ${TABLES_VERSION}: ${advice}`,
    );
  }
  return numberIn(properties, 'pruning_seed') ?? 0;
}

function numberIn(properties: Tree, name: string): number | undefined {
  const value = properties.value(byName(name));
  if (value === undefined) return undefined;
  if (value.length !== 4) throw damaged(`${name} of ${value.length} bytes`);
  return value.readUInt32LE();
}

function openTable(names: Tree, file: PagedFile, name: string, flags: number): Table {
  const record = names.record(byBytes(Buffer.from(name)));
  if (record === undefined) throw damaged(`the table ${name} is missing`);
  if (record.flags !== flags) throw damaged(`the table ${name} has flags ${record.flags}`);
  return { tree: new Tree(file, record), entries: record.entries };
}

/** Returns the rows of a table that keeps all of them under the key 0. */
function rowsOf({ tree }: Table, rowBytes: number): Rows {
  const rows = tree.rows(byNumber(0), rowBytes);
  if (rows === undefined) throw damaged('a table without its only key');
  return rows;
}
