import { ByteReader } from '../byte-reader.ts';
import { ByteWriter } from '../byte-writer.ts';
import { DecodeError } from '../errors.ts';
import { HashedTransaction } from './hashed-transaction.ts';
import { readPrefix, writePrefix, type TransactionPrefix } from './prefix.ts';
import {
  rctShape,
  readRctBase,
  readRctPrunable,
  writeRctBase,
  writeRctPrunable,
} from './ringct.ts';
import type { ParsedTransaction, Transaction, TxTarget } from './types.ts';

/**
 * Parses a transaction in its full form, of any version and RingCT type. Checks what monerod's parser
 * checks, including the shape of the range proofs and the total number of ring members, but not whether keys
 * and commitments are curve points.
 *
 * Byte fields of the result are views of `blob`.
 * Throws DecodeError when malformed or not consumed to its end, and for version 2 without inputs, which
 *   has no id.
 */
export function parseTransaction(blob: Uint8Array): ParsedTransaction {
  const reader = new ByteReader(blob);
  const read = readTransaction(reader, 'full');
  reader.end();
  checkExpandable(read.tx);
  if (reader.sawTruncatedVarint) return parseTransaction(encodeTransaction(read.tx));
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
): ParsedTransaction {
  const reader = new ByteReader(base);
  const read = readTransaction(reader, 'base');
  reader.end();
  checkExpandable(read.tx);
  if (reader.sawTruncatedVarint) {
    return parsePrunedTransaction(encodeTransaction(read.tx), prunableHash);
  }
  return finishTransaction(reader, read, prunableHash);
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

/** Returns the one-time key (32 bytes) of an output; undefined for a target without one. */
export function outputKey(target: TxTarget): Uint8Array | undefined {
  return target.kind === 'key' || target.kind === 'tagged-key' ? target.key : undefined;
}

/** A transaction as read, with the offsets of its parts in the reader's input. */
export interface ReadTransaction {
  tx: Transaction;
  start: number;
  prefixEnd: number;
  baseEnd: number;
  pruned: boolean;
}

/** Reads a transaction that may be followed by other data, as in a block. Throws DecodeError when it is malformed. */
export function readTransaction(reader: ByteReader, form: 'full' | 'base'): ReadTransaction {
  const start = reader.offset;
  const prefix = readPrefix(reader);
  const prefixEnd = reader.offset;
  if (prefix.version === 1) {
    const offsets = { start, prefixEnd, baseEnd: prefixEnd };
    if (form === 'base') return { tx: prefix, ...offsets, pruned: hasSignatures(prefix) };
    const tx = { ...prefix, signatures: readSignatures(reader, prefix) };
    return { tx, ...offsets, pruned: false };
  }
  // monerod writes no RingCT part here and then cannot compute an id.
  if (prefix.inputs.length === 0) throw new DecodeError('version 2 without inputs', prefixEnd);
  const shape = rctShape(prefix.inputs, prefix.outputs.length);
  const rct = readRctBase(reader, shape);
  const baseEnd = reader.offset;
  const tx: Transaction = { ...prefix, rct };
  const pruned = form === 'base' && rct.type !== 0;
  if (rct.type !== 0 && !pruned) tx.prunable = readRctPrunable(reader, rct.type, shape);
  return { tx, start, prefixEnd, baseEnd, pruned };
}

/**
 * Returns a transaction with its bytes and hashes, right after it was read from `reader`.
 * `prunableHash`: as for parsePrunedTransaction.
 */
export function finishTransaction(
  reader: ByteReader,
  { tx, start, prefixEnd, baseEnd, pruned }: ReadTransaction,
  prunableHash?: Uint8Array,
): ParsedTransaction {
  return new HashedTransaction({
    tx,
    blob: reader.slice(start, reader.offset),
    prefixSize: prefixEnd - start,
    unprunedSize: baseEnd - start,
    pruned,
    prunableHash,
  });
}

/**
 * Reads a transaction in its full form that may be followed by other data. Applies the checks of parseTransaction.
 * Throws DecodeError when it is malformed.
 */
export function readParsedTransaction(reader: ByteReader): ParsedTransaction {
  const read = readTransaction(reader, 'full');
  checkExpandable(read.tx);
  return finishTransaction(reader, read);
}

/** Whether a version 1 transaction has signatures after its prefix. */
function hasSignatures(prefix: TransactionPrefix): boolean {
  return prefix.inputs.some((input) => input.kind === 'key' && input.keyOffsets.length > 0);
}

/** Reads the signatures of version 1: for each input one of 64 bytes per ring member. */
function readSignatures(reader: ByteReader, prefix: TransactionPrefix): Uint8Array[][] {
  return prefix.inputs.map((input) => {
    const count = input.kind === 'key' ? input.keyOffsets.length : 0;
    reader.need(count * 64);
    const signatures: Uint8Array[] = [];
    for (let i = 0; i < count; i++) signatures.push(reader.bytes(64));
    return signatures;
  });
}

/**
 * Checks what monerod checks when it prepares a parsed RingCT signature for verification: every output has a key,
 * and there is exactly one Bulletproof (its size was checked while reading). A miner transaction passes.
 * Source: expand_transaction_1 in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
function checkExpandable(tx: Transaction): void {
  const coinbase = tx.inputs.length === 1 && tx.inputs[0]?.kind === 'gen';
  if (tx.rct === undefined || tx.rct.type === 0 || coinbase) return;
  if (tx.outputs.some((output) => outputKey(output.target) === undefined)) {
    throw new DecodeError('output without a key in a RingCT transaction');
  }
  if (tx.prunable === undefined || tx.rct.type < 3) return;
  const proofs = tx.prunable.bulletproofs.length + tx.prunable.bulletproofsPlus.length;
  if (proofs !== 1) throw new DecodeError(`${proofs} range proofs`);
}

/**
 * Returns the key images of a transaction's inputs in their order, 32 bytes each; none for a miner
 * transaction. They are views into the decoded transaction: copy them to keep them longer.
 */
export function keyImagesOf({ inputs }: Pick<Transaction, 'inputs'>): Uint8Array[] {
  return inputs.flatMap((input) => (input.kind === 'key' ? [input.keyImage] : []));
}
