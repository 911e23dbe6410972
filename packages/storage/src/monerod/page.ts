import { readUint64 } from './little-endian.ts';
import { damaged } from './monerod-database-error.ts';

/** Bytes before the offsets of a page's nodes. Source: PAGEHDRSZ in mdb.c. */
export const PAGE_HEADER_BYTES = 16;
/** Bytes of a node before its key. Source: NODESIZE in mdb.c. */
const NODE_HEADER_BYTES = 8;

/** The kinds of pages, as bits of their flags. Source: P_BRANCH and the following in mdb.c. */
const KIND = { branch: 0x01, leaf: 0x02, overflow: 0x04, meta: 0x08, rows: 0x20, inner: 0x40 };
const ALL_KINDS = Object.values(KIND).reduce((sum, bit) => sum | bit, 0);

/** Kinds of values in the nodes of leaves, as bits of its flags. Source: F_BIGDATA and the following in mdb.c. */
export const NODE = { overflow: 0x01, tree: 0x02, several: 0x04 } as const;

/** A node of a branch or of a leaf. Its key lies in the bytes of its page. */
export interface PageNode {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly flags: number;
  /** Bytes of the value; in a node with `NODE.overflow` the value lies on other pages. */
  readonly valueBytes: number;
  /** In a branch: number of the page below. */
  readonly child: number;
}

/**
 * A page of a tree. Its entries are nodes, or, in a page of rows, byte strings of one size without anything around
 * them.
 *
 * Every number in a page is checked before it is used: reading a damaged page throws MonerodDatabaseError `damaged`,
 * never another error.
 */
export class Page {
  readonly bytes: Buffer;
  readonly isBranch: boolean;
  /** Bytes of each row; undefined when the entries are nodes. */
  readonly rowBytes: number | undefined;
  /** Number of entries. */
  readonly count: number;

  /**
   * @param bytes the whole page, or the value of a node that holds a page
   * @param inner whether it is the value of a node
   */
  constructor(bytes: Buffer, inner = false) {
    if (bytes.length < PAGE_HEADER_BYTES) throw damaged(`a page of ${bytes.length} bytes`);
    this.bytes = bytes;
    const kind = bytes.readUInt16LE(10) & ALL_KINDS;
    const outer = inner ? kind ^ KIND.inner : kind;
    this.isBranch = outer === KIND.branch;
    const isRows = outer === (KIND.leaf | KIND.rows);
    if (!this.isBranch && !isRows && outer !== KIND.leaf) {
      throw damaged(`a page of kind ${kind} where one of a tree was expected`);
    }
    this.rowBytes = isRows ? bytes.readUInt16LE(8) : undefined;
    const end = bytes.readUInt16LE(12);
    if (end < PAGE_HEADER_BYTES || end > bytes.length || end % 2 !== 0) {
      throw damaged(`a page with nodes up to byte ${end}`);
    }
    this.count = (end - PAGE_HEADER_BYTES) / 2;
    const rows = this.count * (this.rowBytes ?? 0);
    if (this.rowBytes === 0 || PAGE_HEADER_BYTES + rows > bytes.length) {
      throw damaged(`a page of ${this.count} rows`);
    }
  }

  /** Number of this page in the file. */
  get number(): number {
    return readUint64(this.bytes, 0);
  }

  /** Returns where a row begins. Only for pages with {@link rowBytes}, and for `index` below {@link count}. */
  rowStart(index: number): number {
    return PAGE_HEADER_BYTES + index * (this.rowBytes ?? 0);
  }

  /** Returns a node, for `index` below {@link count}. Throws MonerodDatabaseError `damaged`. */
  node(index: number): PageNode {
    const { bytes } = this;
    const start = bytes.readUInt16LE(PAGE_HEADER_BYTES + 2 * index);
    const keyStart = start + NODE_HEADER_BYTES;
    if (start < PAGE_HEADER_BYTES + 2 * this.count || keyStart > bytes.length) {
      throw damaged(`a node at byte ${start} of a page`);
    }
    const low = bytes.readUInt32LE(start);
    const flags = bytes.readUInt16LE(start + 4);
    const keyEnd = keyStart + bytes.readUInt16LE(start + 6);
    // The three fields of a branch node form one number of 48 bits.
    if (this.isBranch) {
      if (keyEnd > bytes.length) throw damaged('a key that goes beyond its page');
      return { keyStart, keyEnd, flags: 0, valueBytes: 0, child: flags * 2 ** 32 + low };
    }
    const stored = (flags & NODE.overflow) === 0 ? low : 8;
    if (keyEnd + stored > bytes.length) throw damaged('a value that goes beyond its page');
    return { keyStart, keyEnd, flags, valueBytes: low, child: 0 };
  }
}

/**
 * Returns how many pages the first page of a long value says it takes, from at least {@link PAGE_HEADER_BYTES} bytes.
 * Throws MonerodDatabaseError `damaged` when it is no such page.
 */
export function overflowPages(bytes: Buffer): number {
  if ((bytes.readUInt16LE(10) & ALL_KINDS) !== KIND.overflow) {
    throw damaged('a page of another kind where a long value was expected');
  }
  return bytes.readUInt32LE(12);
}
