import type { Comparison } from './comparisons.ts';
import { readUint64 } from './little-endian.ts';
import { damaged } from './monerod-database-error.ts';
import { NODE, Page, type PageNode } from './page.ts';
import type { PagedFile } from './paged-file.ts';
import { decodeTreeRecord, TREE_RECORD_BYTES, type TreeRecord } from './tree-record.ts';

/** An entry of a leaf page. */
interface Entry {
  readonly page: Page;
  readonly index: number;
}

/**
 * Looks up keys in a B+ tree of an LMDB file. A look-up reads at most one page for each level of the tree, whatever the
 * pages say, so references in a circle end it like any others.
 *
 * Source: mdb_page_search and mdb_node_search in mdb.c.
 */
export class Tree {
  readonly #file: PagedFile;
  readonly #root: number;
  readonly #depth: number;
  /** The leaf of the last look-up: the next one is likely to need it again. */
  #leaf: Page | undefined;

  constructor(file: PagedFile, { root, depth }: TreeRecord) {
    this.#file = file;
    this.#root = root;
    this.#depth = depth;
  }

  /** Returns the value of a key; undefined when it is not there. Throws MonerodDatabaseError. */
  value(key: Comparison): Buffer | undefined {
    const entry = this.#find(key);
    if (entry === undefined) return undefined;
    const node = entry.page.node(entry.index);
    if ((node.flags & (NODE.tree | NODE.several)) !== 0)
      throw damaged('several values instead of one');
    return this.#valueOf(entry.page, node);
  }

  /** Returns the record of the tree that a key names; undefined when it is not there. Throws MonerodDatabaseError. */
  record(key: Comparison): TreeRecord | undefined {
    const entry = this.#find(key);
    if (entry === undefined) return undefined;
    const node = entry.page.node(entry.index);
    if (node.flags !== NODE.tree) throw damaged('a name that is not one of a table');
    return recordIn(entry.page, node);
  }

  /**
   * Returns what looks up the values of a key that has many, each of `rowBytes` bytes; undefined when the key is not
   * there. Throws MonerodDatabaseError.
   */
  rows(key: Comparison, rowBytes: number): Rows | undefined {
    const entry = this.#find(key);
    if (entry === undefined) return undefined;
    const { page, index } = entry;
    const node = page.node(index);
    if (node.flags === (NODE.several | NODE.tree)) {
      return new Rows(new Tree(this.#file, recordIn(page, node)), rowBytes);
    }
    const value = this.#valueOf(page, node);
    return new Rows(node.flags === NODE.several ? new Page(value, true) : value, rowBytes);
  }

  /** Returns a row of a tree of rows; undefined when it is not there. Throws MonerodDatabaseError. */
  row(key: Comparison, rowBytes: number): Buffer | undefined {
    const entry = this.#find(key);
    return entry === undefined ? undefined : rowOf(entry, rowBytes);
  }

  #find(key: Comparison): Entry | undefined {
    const last = this.#leaf;
    const page = last !== undefined && spans(last, key) ? last : this.#leafFor(key);
    if (page === undefined) return undefined;
    this.#leaf = page;
    return search(page, key);
  }

  #leafFor(key: Comparison): Page | undefined {
    if (this.#depth === 0) return undefined;
    let page = this.#file.page(this.#root);
    for (let level = 1; level < this.#depth; level++) {
      if (!page.isBranch || page.count === 0) throw damaged('a tree that ends too early');
      page = this.#file.page(page.node(childFor(page, key)).child);
    }
    if (page.isBranch) throw damaged('a tree with too many levels');
    return page;
  }

  #valueOf(page: Page, { flags, keyEnd, valueBytes }: PageNode): Buffer {
    if ((flags & NODE.overflow) === 0) return page.bytes.subarray(keyEnd, keyEnd + valueBytes);
    return this.#file.longValue(readUint64(page.bytes, keyEnd), valueBytes);
  }
}

/** The values of one key, in order, all of one size. */
export class Rows {
  readonly #source: Tree | Page | Buffer;
  readonly #rowBytes: number;

  /** @param source a tree of rows, a page of rows, or the only row */
  constructor(source: Tree | Page | Buffer, rowBytes: number) {
    this.#source = source;
    this.#rowBytes = rowBytes;
  }

  /** Returns the row that compares as equal; undefined when there is none. Throws MonerodDatabaseError. */
  find(key: Comparison): Buffer | undefined {
    const source = this.#source;
    if (source instanceof Tree) return source.row(key, this.#rowBytes);
    if (source instanceof Page) {
      const entry = search(source, key);
      return entry === undefined ? undefined : rowOf(entry, this.#rowBytes);
    }
    const row = this.only();
    return key(row, 0, row.length) === 0 ? row : undefined;
  }

  /** Returns the only row. Throws MonerodDatabaseError `damaged` when there are several. */
  only(): Buffer {
    const source = this.#source;
    if (!Buffer.isBuffer(source)) throw damaged('several values instead of one');
    if (source.length !== this.#rowBytes) throw damaged(`a row of ${source.length} bytes`);
    return source;
  }
}

function recordIn(page: Page, { keyEnd, valueBytes }: PageNode): TreeRecord {
  if (valueBytes !== TREE_RECORD_BYTES) throw damaged(`a record of ${valueBytes} bytes`);
  return decodeTreeRecord(page.bytes, keyEnd);
}

function rowOf({ page, index }: Entry, rowBytes: number): Buffer {
  if (page.rowBytes !== rowBytes) {
    throw damaged(`rows of ${page.rowBytes ?? 'different'} bytes instead of ${rowBytes}`);
  }
  const start = page.rowStart(index);
  return page.bytes.subarray(start, start + rowBytes);
}

/** Returns how an entry compares with the key. Throws MonerodDatabaseError `damaged`. */
function compareAt(page: Page, index: number, key: Comparison): number {
  const { rowBytes } = page;
  let order: number | undefined;
  if (rowBytes !== undefined) {
    const start = page.rowStart(index);
    order = key(page.bytes, start, start + rowBytes);
  } else {
    const { keyStart, keyEnd } = page.node(index);
    order = key(page.bytes, keyStart, keyEnd);
  }
  if (order === undefined) throw damaged('a key of the wrong size');
  return order;
}

/** Whether a key that is in the tree must be on this leaf. */
function spans(leaf: Page, key: Comparison): boolean {
  return (
    leaf.count > 0 && compareAt(leaf, 0, key) <= 0 && compareAt(leaf, leaf.count - 1, key) >= 0
  );
}

/** Returns the position of the last entry of a branch that does not come after the key. The first one has no key. */
function childFor(branch: Page, key: Comparison): number {
  let low = 0;
  let high = branch.count - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (compareAt(branch, middle, key) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

function search(leaf: Page, key: Comparison): Entry | undefined {
  let low = 0;
  let high = leaf.count - 1;
  while (low <= high) {
    const index = (low + high) >> 1;
    const order = compareAt(leaf, index, key);
    if (order === 0) return { page: leaf, index };
    if (order < 0) low = index + 1;
    else high = index - 1;
  }
  return undefined;
}
