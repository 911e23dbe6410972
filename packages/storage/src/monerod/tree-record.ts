import { readUint64 } from './little-endian.ts';
import { damaged } from './monerod-database-error.ts';

/** The record of a tree: of a table, or of the values of one key. */
export interface TreeRecord {
  /** The flags that the table was made with. */
  readonly flags: number;
  /** Number of levels; 0 for an empty tree. */
  readonly depth: number;
  /** Number of values in the tree, those of the trees below included. */
  readonly entries: number;
  /** Number of the page at the top. */
  readonly root: number;
}

/** Bytes of a {@link TreeRecord}. Source: MDB_db in mdb.c. */
export const TREE_RECORD_BYTES = 48;
/** Source: CURSOR_STACK in mdb.c. */
const MOST_LEVELS = 32;

/** Reads a record; the caller checks that 48 bytes are there. Throws MonerodDatabaseError `damaged`. */
export function decodeTreeRecord(bytes: Buffer, offset: number): TreeRecord {
  const flags = bytes.readUInt16LE(offset + 4);
  const depth = bytes.readUInt16LE(offset + 6);
  const entries = readUint64(bytes, offset + 32);
  const root = readUint64(bytes, offset + 40);
  if (depth > MOST_LEVELS) throw damaged(`a tree of ${depth} levels`);
  if (!Number.isSafeInteger(entries)) throw damaged('a tree with a wrong count');
  if ((depth === 0) !== (entries === 0)) throw damaged('a tree with a count but without levels');
  return { flags, depth, entries, root };
}
