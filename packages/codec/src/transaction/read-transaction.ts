import type { ByteReader } from '../byte-reader.ts';
import { DecodeError } from '../errors.ts';
import type { Formats } from '../formats.ts';
import { readPrefix, type TransactionPrefix } from './prefix.ts';
import { rctShape, readRctBase, readRctPrunable } from './ringct.ts';
import type { Transaction, TxTarget } from './types.ts';

/** A transaction as read, with the offsets of its parts in the reader's input. */
export interface ReadTransaction {
  tx: Transaction;
  start: number;
  prefixEnd: number;
  baseEnd: number;
  pruned: boolean;
}

/** Reads a transaction that may be followed by other data, as in a block. Throws DecodeError when it is malformed. */
export function readTransaction(
  reader: ByteReader,
  form: 'full' | 'base',
  formats: Formats,
): ReadTransaction {
  const start = reader.offset;
  const prefix = readPrefix(reader, formats);
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
  const rct = readRctBase(reader, shape, formats);
  const baseEnd = reader.offset;
  const tx: Transaction = { ...prefix, rct };
  const pruned = form === 'base' && rct.type !== 0;
  if (rct.type !== 0 && !pruned) tx.prunable = readRctPrunable(reader, rct.type, shape);
  return { tx, start, prefixEnd, baseEnd, pruned };
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
 * Throws DecodeError otherwise.
 * Source: expand_transaction_1 in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function checkExpandable(tx: Transaction): void {
  const coinbase = tx.inputs.length === 1 && tx.inputs[0]?.kind === 'gen';
  if (tx.rct === undefined || tx.rct.type === 0 || coinbase) return;
  if (tx.outputs.some((output) => outputKey(output.target) === undefined)) {
    throw new DecodeError('output without a key in a RingCT transaction');
  }
  if (tx.prunable === undefined || tx.rct.type < 3) return;
  const proofs = tx.prunable.bulletproofs.length + tx.prunable.bulletproofsPlus.length;
  if (proofs !== 1) throw new DecodeError(`${proofs} range proofs`);
}

/** Returns the one-time key (32 bytes) of an output; undefined for a target without one. */
export function outputKey(target: TxTarget): Uint8Array | undefined {
  return 'key' in target ? target.key : undefined;
}

/**
 * Returns the key images of a transaction's inputs in their order, 32 bytes each; none for a miner
 * transaction. They are views into the decoded transaction: copy them to keep them longer.
 */
export function keyImagesOf({ inputs }: Pick<Transaction, 'inputs'>): Uint8Array[] {
  return inputs.flatMap((input) => (input.kind === 'key' ? [input.keyImage] : []));
}
