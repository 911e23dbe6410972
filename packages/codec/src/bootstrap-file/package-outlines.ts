import { readParsedBlock } from '../block/block.ts';
import { BLOCK_HASHES_SIZE } from '../block/hashed-block.ts';
import { ByteReader } from '../byte-reader.ts';
import { DecodeError } from '../errors.ts';
import { WordList } from '../transaction/flat-parts.ts';
import {
  OutlinedTransactions,
  OutlineList,
  type OutlinedPackage,
  type TransactionOutlines,
} from '../transaction/outlines.ts';
import { readParsedTransaction, readScanned } from '../transaction/transaction.ts';
import { MIN_TRANSACTION_BYTES } from './bootstrap-file.ts';

/** What one thread has found in the bytes of packages of a bootstrap file, for another that has the same bytes. */
export interface PackageOutlines extends TransactionOutlines {
  /** For each package the position of its first transaction. */
  readonly firsts: Uint32Array;
  /** For each package its bytes; 0 for one without a block. */
  readonly sizes: Uint32Array;
  /** For each package the hashes of its block, `BLOCK_HASHES_SIZE` bytes. */
  readonly blockHashes: Uint8Array;
}

/**
 * Outlines the transactions in the bytes of packages, each as `decodeBootstrapPackage` takes it, and hashes the blocks. In a malformed
 * one those from the first malformed transaction on have no outline.
 */
export function outlinePackages(packages: readonly Uint8Array[]): PackageOutlines {
  const list = new OutlineList();
  const firsts = new Uint32Array(packages.length);
  const sizes = new Uint32Array(packages.length);
  const blockHashes = new Uint8Array(BLOCK_HASHES_SIZE * packages.length);
  for (const [i, bytes] of packages.entries()) {
    firsts[i] = list.length;
    try {
      const reader = new ByteReader(bytes);
      readParsedBlock(reader).copyHashes(blockHashes, BLOCK_HASHES_SIZE * i);
      sizes[i] = bytes.length;
      outlineRest(reader, list);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
    }
  }
  return { ...list.outlines(), firsts, sizes, blockHashes };
}

/** Outlines the transactions of a package after its block. */
function outlineRest(reader: ByteReader, list: OutlineList): void {
  const count = reader.count(MIN_TRANSACTION_BYTES);
  for (let i = 0; i < count; i++) {
    const tx = readScanned(reader, { form: 'full', list: list.numbers });
    list.add(tx);
    if (tx === undefined) readParsedTransaction(reader, new WordList());
  }
}

/** Returns the outlines of each package, as another thread has made them. */
export function outlinedPackages(outlines: PackageOutlines): OutlinedPackage[] {
  const of = new OutlinedTransactions(outlines);
  const { firsts, sizes, blockHashes } = outlines;
  return Array.from(firsts, (first, i) => {
    const hashes = { of: blockHashes, at: BLOCK_HASHES_SIZE * i };
    return { of, first, block: { size: sizes[i] ?? 0, hashes } };
  });
}
