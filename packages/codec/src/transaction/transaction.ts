import { ByteReader } from '../byte-reader.ts';
import { ByteWriter } from '../byte-writer.ts';
import { DEFAULT_FORMATS, type Formats } from '../formats.ts';
import { FlatParts, flatSizes, WordList } from './flat-parts.ts';
import { HashedTransaction, type HashedTransactionParts } from './hashed-transaction.ts';
import { writePrefix } from './prefix.ts';
import { checkExpandable, readTransaction, type ReadTransaction } from './read-transaction.ts';
import { writeRctBase, writeRctPrunable } from './ringct.ts';
import { scanTransaction } from './scan-transaction.ts';
import type { ParsedTransaction, Transaction } from './types.ts';

/**
 * Parses a transaction in its full form, of any version and RingCT type. Checks what monerod's parser
 * checks, including the shape of the range proofs and the total number of ring members, but not whether keys
 * and commitments are curve points.
 *
 * Byte fields of the result are views of `blob`.
 * Throws DecodeError when malformed or not consumed to its end, and for version 2 without inputs, which
 *   has no id.
 */
export function parseTransaction(
  blob: Uint8Array,
  formats: Formats = DEFAULT_FORMATS,
): ParsedTransaction {
  const reader = new ByteReader(blob);
  const read = readTransaction(reader, 'full', formats);
  reader.end();
  checkExpandable(read.tx);
  if (reader.sawTruncatedVarint) return parseTransaction(encodeTransaction(read.tx), formats);
  return finishTransaction(reader, read);
}

/**
 * Parses the bytes of a transaction's base form, which has no prunable part. The base form of a version 2
 * transaction with type 0 is its full form.
 * `prunableHash`: hash (32 bytes) of the missing part. Without it, or when it is all zeros, the id of a
 *   transaction with a prunable part is not known.
 * Throws DecodeError when malformed or not consumed to its end.
 */
export function parsePrunedTransaction(
  base: Uint8Array,
  prunableHash?: Uint8Array,
  formats: Formats = DEFAULT_FORMATS,
): ParsedTransaction {
  const reader = new ByteReader(base);
  const read = readTransaction(reader, 'base', formats);
  reader.end();
  checkExpandable(read.tx);
  if (reader.sawTruncatedVarint) {
    return parsePrunedTransaction(encodeTransaction(read.tx), prunableHash, formats);
  }
  return finishTransaction(reader, read, { prunableHash });
}

/**
 * Returns the bytes of a transaction: of its base form when `signatures` or `prunable` are absent where the full
 * form has them. The format stores no counts for the lists of signatures: the caller must give them the lengths
 * that follow from the prefix.
 * Throws RangeError for a key or number of the wrong size.
 */
export function encodeTransaction(tx: Transaction): Uint8Array {
  const writer = new ByteWriter(2048);
  writePrefix(writer, tx);
  if (tx.version === 1) {
    for (const signature of tx.signatures?.flat() ?? []) {
      if (signature.length !== 64) throw new RangeError('64-byte signature expected');
      writer.bytes(signature);
    }
  } else if (tx.rct !== undefined) {
    writeRctBase(writer, tx.rct);
    if (tx.prunable !== undefined) writeRctPrunable(writer, tx.rct.type, tx.prunable);
  }
  return writer.toBytes();
}

/**
 * Returns a transaction with its bytes and hashes, right after it was read from `reader`.
 * `known`: what is known of it.
 */
export function finishTransaction(
  reader: ByteReader,
  { tx, start, prefixEnd, baseEnd, pruned }: ReadTransaction,
  known: Partial<Pick<HashedTransactionParts, 'prunableHash' | 'hashes'>> = {},
): ParsedTransaction {
  return new HashedTransaction({
    tx,
    blob: reader.slice(start, reader.offset),
    prefixSize: prefixEnd - start,
    unprunedSize: baseEnd - start,
    pruned,
    ...known,
  });
}

/**
 * Reads a transaction in its full form that may be followed by other data. Applies the checks of parseTransaction.
 * `list`: takes the numbers of transactions that are kept together.
 * Throws DecodeError when it is malformed.
 */
export function readParsedTransaction(
  reader: ByteReader,
  list: WordList,
  formats: Formats = DEFAULT_FORMATS,
): ParsedTransaction {
  const scanned = readScanned(reader, { form: 'full', list, formats });
  if (scanned !== undefined) return scanned;
  const read = readTransaction(reader, 'full', formats);
  checkExpandable(read.tx);
  return finishTransaction(reader, read);
}

/**
 * Does what parseTransaction does, or parsePrunedTransaction for a transaction with a hash of the part it lacks, but makes the objects
 * of a common transaction only when its `tx` is read. For those who read many; it takes more code in a bundle.
 *
 * Throws DecodeError as they do.
 *
 * @param blob the encoded transaction, whole or without its prunable part
 * @param prunableHash hash of the part it lacks, 32 bytes; absent for a whole one
 */
export function parseTransactionLazily(
  blob: Uint8Array,
  prunableHash?: Uint8Array,
  formats: Formats = DEFAULT_FORMATS,
): ParsedTransaction {
  const form = prunableHash === undefined ? 'full' : 'base';
  const reader = new ByteReader(blob);
  const scanned = readScanned(reader, { form, prunableHash, formats });
  if (scanned !== undefined && reader.remaining === 0) return scanned;
  return prunableHash === undefined
    ? parseTransaction(blob, formats)
    : parsePrunedTransaction(blob, prunableHash, formats);
}

interface ScanOptions {
  readonly form: 'full' | 'base';
  /** As for parsePrunedTransaction. */
  readonly prunableHash?: Uint8Array | undefined;
  readonly formats?: Formats;
  /** Takes the numbers of the transaction; a new one by default. */
  readonly list?: WordList;
}

/**
 * Reads a transaction of a common form, which may be followed by other data, without making its objects; see `scanTransaction`.
 * Returns undefined, with nothing read, for another one.
 */
export function readScanned(
  reader: ByteReader,
  { form, prunableHash, formats = DEFAULT_FORMATS, list = new WordList() }: ScanOptions,
): ParsedTransaction | undefined {
  const start = reader.offset;
  const at = list.length;
  if (!scanTransaction(reader, form, formats, list)) return undefined;
  const blob = reader.slice(start, reader.offset);
  const parts = new FlatParts(list, at, blob);
  return new HashedTransaction({ ...flatSizes(list, at), parts, blob, prunableHash });
}
