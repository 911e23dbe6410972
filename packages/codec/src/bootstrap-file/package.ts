import { ByteReader } from '../byte-reader.ts';
import { ByteWriter } from '../byte-writer.ts';
import { readParsedBlock } from '../block/block.ts';
import type { ParsedBlock } from '../block/types.ts';
import { readParsedTransaction } from '../transaction/transaction.ts';
import type { ParsedTransaction } from '../transaction/types.ts';

/**
 * Most bytes of a package in a bootstrap file: as many as in a message between peers. monerod's importer takes
 * 2 MiB.
 */
export const MAX_BOOTSTRAP_PACKAGE = 104_857_600;

/** Bytes of the smallest transaction, which bound the number of transactions in a package. */
const MIN_TRANSACTION_BYTES = 6;

/** A block as a bootstrap file holds it. */
export interface BootstrapPackage {
  readonly block: Uint8Array;
  /** Full blobs, without the coinbase, in the order of the block's tx_hashes. */
  readonly txs: readonly Uint8Array[];
  readonly weight: number;
  readonly cumulativeDifficulty: bigint;
  /** Coins generated up to and including this block, atomic units. */
  readonly generatedCoins: bigint;
}

/** A package as read: with the block and its transactions parsed, so that they need not be parsed again. */
export interface ParsedBootstrapPackage extends Omit<BootstrapPackage, 'block' | 'txs'> {
  readonly block: ParsedBlock;
  readonly txs: readonly ParsedTransaction[];
}

/** Returns the bytes of a package in a file of version 1, without the size that precedes it. */
export function encodeBootstrapPackage(content: BootstrapPackage): Uint8Array {
  const writer = new ByteWriter(4096);
  writer.bytes(content.block).varint(content.txs.length);
  for (const tx of content.txs) writer.bytes(tx);
  writer.varint(content.weight);
  writer.varint(content.cumulativeDifficulty >> 64n);
  writer.varint(content.cumulativeDifficulty & 0xffff_ffff_ffff_ffffn);
  return writer.varint(content.generatedCoins).toBytes();
}

/**
 * Reads a package, without the size that precedes it. Byte fields are views of `bytes`.
 *
 * `majorVersion`: of the file's header.
 * Throws DecodeError when malformed or not consumed to its end.
 * Source: src/blockchain_utilities/bootstrap_serialization.h.
 */
export function decodeBootstrapPackage(
  bytes: Uint8Array,
  majorVersion: number,
): ParsedBootstrapPackage {
  const reader = new ByteReader(bytes);
  const block = readParsedBlock(reader);
  const count = reader.count(MIN_TRANSACTION_BYTES);
  const txs: ParsedTransaction[] = [];
  for (let i = 0; i < count; i++) txs.push(readParsedTransaction(reader));
  const weight = reader.varintNumber();
  const high = majorVersion === 0 ? 0n : reader.varint();
  const cumulativeDifficulty = (high << 64n) | reader.varint();
  const generatedCoins = reader.varint();
  reader.end();
  return { block, txs, weight, cumulativeDifficulty, generatedCoins };
}

/** Reads only the block of a package, whose transactions follow it unread. Throws DecodeError when it is malformed. */
export function decodeBootstrapBlock(bytes: Uint8Array): ParsedBlock {
  return readParsedBlock(new ByteReader(bytes));
}
