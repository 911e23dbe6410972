import { readUint64 } from './little-endian.ts';
import { damaged, MonerodDatabaseError } from './monerod-database-error.ts';
import { PAGE_HEADER_BYTES } from './page.ts';
import { decodeTreeRecord, TREE_RECORD_BYTES, type TreeRecord } from './tree-record.ts';

/** The state of a database after a write, as one of its first two pages describes it. */
export interface MetaPage {
  /** Bytes of every page. */
  readonly pageSize: number;
  /** The tree of the names of tables. */
  readonly tables: TreeRecord;
  /** Number of the last page in use. */
  readonly lastPage: number;
  /** Number of the write, counted from the creation of the file. */
  readonly transaction: number;
}

const META_FLAG = 0x08;
const MAGIC = 0xbeefc0de;
const DATA_VERSION = 1;
/** Offsets in a meta page, after the header of every page. */
const AT = { magic: 0, version: 4, free: 24, main: 24 + TREE_RECORD_BYTES };
const END = AT.main + TREE_RECORD_BYTES;
/** Smallest and largest page; LMDB writes the page size of the machine, 4 KiB or 16 KiB. */
const SMALLEST_PAGE = 512;
const LARGEST_PAGE = 65_536;

/** Bytes that hold everything of a meta page. */
export const META_BYTES = PAGE_HEADER_BYTES + END + 16;

/**
 * Reads one of the two meta pages, of which at least {@link META_BYTES} bytes are given.
 *
 * Throws MonerodDatabaseError `damaged` when the page is of another kind, and `unknown-version` when its format is not 1.
 * Source: MDB_meta and mdb_env_read_header in external/db_drivers/liblmdb/mdb.c of monerod.
 */
export function decodeMetaPage(bytes: Buffer): MetaPage {
  const start = PAGE_HEADER_BYTES;
  const flags = bytes.readUInt16LE(10);
  if ((flags & META_FLAG) === 0 || bytes.readUInt32LE(start + AT.magic) !== MAGIC) {
    throw damaged('it does not begin as an LMDB file does');
  }
  const version = bytes.readUInt32LE(start + AT.version);
  if (version !== DATA_VERSION) {
    throw new MonerodDatabaseError(
      'unknown-version',
      `the database has LMDB's data version ${version}; that of monerod is ${DATA_VERSION}`,
    );
  }
  const pageSize = bytes.readUInt32LE(start + AT.free);
  if (pageSize < SMALLEST_PAGE || pageSize > LARGEST_PAGE || (pageSize & (pageSize - 1)) !== 0) {
    throw damaged(`pages of ${pageSize} bytes`);
  }
  return {
    pageSize,
    tables: decodeTreeRecord(bytes, start + AT.main),
    lastPage: readUint64(bytes, start + END),
    transaction: readUint64(bytes, start + END + 8),
  };
}

/**
 * Returns the meta page of the last write. Writes take turns between the two pages, so their numbers differ by one.
 *
 * Throws MonerodDatabaseError `damaged` when they do not: the program or the machine stopped before all was on the disk.
 */
export function newestMeta(first: MetaPage, second: MetaPage): MetaPage {
  const [even, odd] = [first.transaction, second.transaction];
  const fits = even % 2 === 0 && (odd % 2 === 1 || odd === 0) && Math.abs(even - odd) <= 1;
  if (!fits || first.pageSize !== second.pageSize) {
    throw damaged(
      'its two headers do not belong together. Start monerod, let it synchronize a block, and stop it with its command exit',
    );
  }
  return odd > even ? second : first;
}
