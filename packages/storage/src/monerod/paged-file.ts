import { BoundedMap } from '@monero-node/base';
import type { FileBytes } from './file-bytes.ts';
import { readUint64 } from './little-endian.ts';
import { decodeMetaPage, META_BYTES, newestMeta, type MetaPage } from './meta-page.ts';
import { damaged } from './monerod-database-error.ts';
import { overflowPages, Page, PAGE_HEADER_BYTES } from './page.ts';

/** Bytes of pages that are kept in memory. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** Largest value that is read: as large as a message between peers, which bounds blocks and transactions. */
const LARGEST_VALUE = 104_857_600;
/** The meta pages are pages 0 and 1. */
const FIRST_TREE_PAGE = 2;

/**
 * Reads the pages of an LMDB file (data version 1), as the newest write left them.
 */
export class PagedFile {
  /** The state after the newest write when the file was opened. */
  readonly meta: MetaPage;
  readonly #file: FileBytes;
  readonly #cache: BoundedMap<number, Page>;

  /** Throws MonerodDatabaseError when the file is no LMDB file. */
  constructor(file: FileBytes) {
    this.#file = file;
    this.meta = this.#readMeta();
    this.#cache = new BoundedMap(Math.ceil(CACHE_BYTES / this.meta.pageSize));
  }

  /** Whether the database was written to since it was opened. Throws MonerodDatabaseError when it cannot be read. */
  get changed(): boolean {
    return this.#readMeta().transaction !== this.meta.transaction;
  }

  /** Returns a page of a tree. Throws MonerodDatabaseError. */
  page(number: number): Page {
    const cached = this.#cache.get(number);
    if (cached !== undefined) return cached;
    const bytes = this.#read(this.#offset(number), this.meta.pageSize);
    const page = new Page(bytes);
    if (page.number !== number)
      throw damaged(`page ${number} is marked as page ${String(page.number)}`);
    this.#cache.set(number, page);
    return page;
  }

  /** Returns a value of `size` bytes that begins on a page of its own. Throws MonerodDatabaseError. */
  longValue(number: number, size: number): Buffer {
    if (size > LARGEST_VALUE) throw damaged(`a value of ${size} bytes`);
    const bytes = this.#read(this.#offset(number), PAGE_HEADER_BYTES + size);
    const held = overflowPages(bytes) * this.meta.pageSize;
    if (readUint64(bytes, 0) !== number || held < bytes.length) {
      throw damaged(`page ${number} does not hold a value of ${size} bytes`);
    }
    return bytes.subarray(PAGE_HEADER_BYTES);
  }

  #offset(number: number): number {
    if (number < FIRST_TREE_PAGE || number > this.meta.lastPage) {
      throw damaged(`a reference to page ${String(number)}`);
    }
    return number * this.meta.pageSize;
  }

  #readMeta(): MetaPage {
    const first = decodeMetaPage(this.#read(0, META_BYTES));
    return newestMeta(first, decodeMetaPage(this.#read(first.pageSize, META_BYTES)));
  }

  /** Reads bytes of the file. The size is checked against the file before memory is taken. */
  #read(position: number, length: number): Buffer {
    if (position + length > this.#file.size) {
      throw damaged(`it ends at byte ${this.#file.size}, within what it refers to`);
    }
    return this.#file.read(position, length);
  }
}
