import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { damaged, errorCode, toStorageError } from '../errors.ts';

// Start of an LMDB data file in format 2: two meta pages, each a 24-byte page header and then
// magic, version, address, map size, two table records of 48 bytes, last page, transaction id.
const PAGE_HEADER_SIZE = 24;
const MAGIC = 0xbeef_c0de;
const FORMAT_VERSION = 2;
const AT = {
  magic: 0,
  version: 4,
  pageSize: 24,
  freeRoot: 64,
  mainRoot: 112,
  lastPage: 120,
  txnId: 128,
} as const;
const META_SIZE = 136;
const NO_ROOT = 0xffff_ffff_ffff_ffffn;

/** The header of a data file as of one commit. */
interface MetaPage {
  pageSize: number;
  roots: bigint[];
  lastPage: bigint;
  /** Number of the commit. */
  txnId: bigint;
}

/** Copies bytes of a file from a position on; returns their number, which is smaller at the end of the file. */
type ReadAt = (target: Uint8Array, position: number) => number;

/** A data file compared with its newest meta page. */
interface DataFileState {
  exists: boolean;
  /** Whether it has no byte. The store never leaves an empty file behind: `createDataFile` makes it in one step. */
  empty: boolean;
  /** Bytes missing at the end. LMDB does not write free pages there, but a truncated file looks the same. */
  missing: number;
  /** The expected length in bytes. */
  fullSize: number;
}

/**
 * Inspects a data file before LMDB maps it into memory, where a bad page would end the process.
 *
 * Throws StorageError `damaged` when it is not an LMDB file of this format, `io` when it cannot be read.
 */
export function inspectDataFile(path: string): DataFileState {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return { exists: false, empty: false, missing: 0, fullSize: 0 };
    }
    throw toStorageError(error, path);
  }
  try {
    const { size } = fstatSync(file);
    if (size === 0) return { exists: true, empty: true, missing: 0, fullSize: 0 };
    const meta = newestMeta((bytes, at) => readSync(file, bytes, 0, bytes.length, at), path);
    const fullSize = Number(meta.lastPage + 1n) * meta.pageSize;
    return { exists: true, empty: false, missing: Math.max(0, fullSize - size), fullSize };
  } catch (error) {
    throw toStorageError(error, path);
  } finally {
    closeSync(file);
  }
}

/** Returns the newest header. Throws StorageError `damaged`. */
export function newestMeta(read: ReadAt, path: string): MetaPage {
  const first = readMeta(read, path, 0);
  const second = readMeta(read, path, first.pageSize);
  const newest = first.txnId >= second.txnId ? first : second;
  const inFile = (root: bigint) => root === NO_ROOT || root <= newest.lastPage;
  if (second.pageSize !== first.pageSize || !newest.roots.every(inFile)) {
    throw damaged(`the first pages of ${path} contradict each other`);
  }
  return newest;
}

/** Returns the number of bytes of a page. Throws StorageError `damaged`. */
function pageSizeOf(read: ReadAt, path: string): number {
  return readMeta(read, path, 0).pageSize;
}

/**
 * Returns the number of the newest commit, whatever else of its header is being written to. Throws StorageError `damaged`
 * when the file is too short.
 */
function newestTxnId(read: ReadAt, pageSize: number, path: string): bigint {
  const [first, second] = [0, pageSize].map((page) => {
    const bytes = Buffer.alloc(8);
    if (read(bytes, page + PAGE_HEADER_SIZE + AT.txnId) < bytes.length)
      throw damaged(`${path} is not an LMDB file`);
    return bytes.readBigUInt64LE();
  }) as [bigint, bigint];
  return first >= second ? first : second;
}

function readMeta(read: ReadAt, path: string, position: number): MetaPage {
  const bytes = Buffer.alloc(META_SIZE);
  const length = read(bytes, position + PAGE_HEADER_SIZE);
  if (length < META_SIZE || bytes.readUInt32LE(AT.magic) !== MAGIC) {
    throw damaged(`${path} is not an LMDB file`);
  }
  const version = bytes.readUInt32LE(AT.version) & 0xffff;
  if (version !== FORMAT_VERSION) {
    throw damaged(
      `${path} has LMDB format ${version}, not ${FORMAT_VERSION}: another program made it`,
    );
  }
  const pageSize = bytes.readUInt32LE(AT.pageSize);
  if (pageSize < 256 || pageSize > 65536 || (pageSize & (pageSize - 1)) !== 0) {
    throw damaged(`${path} claims a page size of ${pageSize}`);
  }
  return {
    pageSize,
    roots: [bytes.readBigUInt64LE(AT.freeRoot), bytes.readBigUInt64LE(AT.mainRoot)],
    lastPage: bytes.readBigUInt64LE(AT.lastPage),
    txnId: bytes.readBigUInt64LE(AT.txnId),
  };
}

/**
 * Reads the number of the newest commit from the header of a data file, in a few microseconds. Another process may be
 * committing: the number is the last that a commit writes, and it is read in one piece.
 */
export class NewestCommit {
  readonly #path: string;
  readonly #file: number;
  readonly #pageSize: number;

  /** Throws the error of the system when the file cannot be opened, StorageError `damaged` when it is not a file of LMDB. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'r');
    this.#pageSize = pageSizeOf(this.#read, path);
  }

  /** Returns the number. Throws StorageError `damaged`. */
  read(): number {
    return Number(newestTxnId(this.#read, this.#pageSize, this.#path));
  }

  close(): void {
    closeSync(this.#file);
  }

  readonly #read: ReadAt = (target, position) =>
    readSync(this.#file, target, 0, target.length, position);
}
