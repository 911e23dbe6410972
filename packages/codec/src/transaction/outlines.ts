import { ByteReader } from '../byte-reader.ts';
import { plainBytes } from '../bytes.ts';
import { DEFAULT_FORMATS, hasFcmp, type Formats } from '../formats.ts';
import { FlatParts, flatSizes, rctTypeAt, WordList } from './flat-parts.ts';
import { HashedTransaction, type KnownHashes } from './hashed-transaction.ts';
import { FCMP_TYPE } from './ringct.ts';
import { readScanned } from './transaction.ts';
import type { ParsedTransaction } from './types.ts';

/** Bytes of the hashes of a transaction: its id and its prunable hash. */
const HASHES_SIZE = 64;

/** The bytes of a transaction as they were received. */
export interface TransactionBytes {
  readonly blob: Uint8Array;
  /** For a blob without its prunable part the 32-byte hash of that part, as for `parsePrunedTransaction`; absent for a full one. */
  readonly prunableHash?: Uint8Array | undefined;
}

/** What one thread has found in the bytes of transactions, for another that has the same bytes: nothing that is dear to copy. */
export interface TransactionOutlines {
  /** For each transaction one more than the position of its numbers in `words`; 0 for one that has to be parsed. */
  readonly heads: Uint32Array;
  /** See flat-parts.ts. */
  readonly words: Uint32Array;
  /** For each transaction its id and its prunable hash. */
  readonly hashes: Uint8Array;
}

/** Makes outlines of transactions, and hashes the blocks of packages, on another thread. */
export interface TransactionOutliner {
  /** Rejects when the thread has ended, which says nothing about the transactions, and with the signal's reason. */
  outline(txs: readonly TransactionBytes[], signal?: AbortSignal): Promise<OutlinedTransactions>;
  /**
   * Outlines the transactions in packages of a bootstrap file, and hashes their blocks. Returns what it finds by package; rejects as
   * `outline` does.
   */
  outlinePackages(packages: readonly Uint8Array[]): Promise<OutlinedPackage[]>;
}

/** What another thread has found in a package of a bootstrap file. */
export interface OutlinedPackage {
  /** The outlines of the package's transactions, among others. */
  readonly of: OutlinedTransactions;
  /** The position of the first one. */
  readonly first: number;
  /** The hashes of the block, for a package of so many bytes; absent when they have to be computed. */
  readonly block?: { readonly size: number; readonly hashes: KnownHashes };
}

/** Scans and hashes transactions. Those that are malformed or not of a common form have no outline. */
export function outlineTransactions(txs: readonly TransactionBytes[]): TransactionOutlines {
  const list = new OutlineList();
  for (const { blob, prunableHash } of txs) {
    const form = prunableHash === undefined ? 'full' : 'base';
    const reader = new ByteReader(blob);
    list.add(
      readScanned(reader, { form, prunableHash, list: list.numbers }),
      reader.remaining === 0,
    );
  }
  return list.outlines();
}

/** Collects outlines. */
export class OutlineList {
  readonly numbers = new WordList();
  readonly #heads: number[] = [];
  #hashes: Uint8Array = new Uint8Array(HASHES_SIZE);
  #head = 0;

  /** Number of transactions. */
  get length(): number {
    return this.#heads.length;
  }

  /** Adds a transaction that was scanned into `numbers`, or the place of one that was not. */
  add(tx: ParsedTransaction | undefined, isWhole = true): void {
    const isOutlined = tx !== undefined && isWhole;
    if (isOutlined) this.#addHashes(tx);
    else this.numbers.length = this.#head;
    this.#heads.push(isOutlined ? this.#head + 1 : 0);
    this.#head = this.numbers.length;
  }

  /** Hashes the transaction at once. Its bytes are still in the processor's cache, and the transaction need not be kept. */
  #addHashes(tx: ParsedTransaction): void {
    const at = HASHES_SIZE * this.length;
    if (at + HASHES_SIZE > this.#hashes.length) this.#hashes = grown(this.#hashes, 2 * at);
    this.#hashes.set(tx.id, at);
    this.#hashes.set(tx.prunableHash, at + 32);
  }

  /** Returns the outlines, with the hashes. */
  outlines(): TransactionOutlines {
    const hashes = grown(this.#hashes, HASHES_SIZE * this.length);
    const words = this.numbers.words.slice(0, this.numbers.length);
    return { heads: Uint32Array.from(this.#heads), words, hashes };
  }
}

/** Returns a copy of bytes with another number of them, of which added ones are zero. */
function grown(bytes: Uint8Array, size: number): Uint8Array {
  const copy = new Uint8Array(size);
  copy.set(bytes.subarray(0, size));
  return copy;
}

/** Transactions that another thread has outlined. */
export class OutlinedTransactions {
  readonly #outlines: TransactionOutlines;
  readonly #list: WordList;

  constructor(outlines: TransactionOutlines) {
    this.#outlines = outlines;
    this.#list = WordList.of(outlines.words);
  }

  /** Returns the bytes of a transaction; 0 for one that has to be parsed. */
  sizeOf(position: number, formats: Formats = DEFAULT_FORMATS): number {
    const head = this.#headOf(position, formats);
    return head === undefined ? 0 : flatSizes(this.#list, head).size;
  }

  /**
   * Returns a transaction as parsing would, from the bytes that were outlined; undefined when it has to be parsed. The bytes must
   * be the same: only their number is compared.
   * `formats`: in which parsing would read it.
   */
  at(
    position: number,
    { blob, prunableHash }: TransactionBytes,
    formats: Formats = DEFAULT_FORMATS,
  ): ParsedTransaction | undefined {
    const head = this.#headOf(position, formats);
    if (head === undefined) return undefined;
    const { size, isBase, prefixSize, unprunedSize, pruned } = flatSizes(this.#list, head);
    if (size !== blob.length || isBase !== (prunableHash !== undefined)) return undefined;
    const bytes = plainBytes(blob);
    const parts = new FlatParts(this.#list, head, bytes);
    // Named one by one: to spread an object into another takes longer than all the rest.
    return new HashedTransaction({
      parts,
      blob: bytes,
      prefixSize,
      unprunedSize,
      pruned,
      isBase,
      hashes: { of: this.#outlines.hashes, at: HASHES_SIZE * position },
    });
  }

  /**
   * Returns where the head of a transaction is; undefined when it has to be parsed. Outlines are made in the newest formats. What they
   * read otherwise than others is of RingCT type 7: no other outline has Carrot outputs.
   */
  #headOf(position: number, formats: Formats): number | undefined {
    const head = this.#outlines.heads[position] ?? 0;
    if (head === 0) return undefined;
    const isOfFormats = hasFcmp(formats) || rctTypeAt(this.#list, head - 1) < FCMP_TYPE;
    return isOfFormats ? head - 1 : undefined;
  }
}
