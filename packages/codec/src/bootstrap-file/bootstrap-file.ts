import { readParsedBlock } from '../block/block.ts';
import type { ParsedBlock } from '../block/types.ts';
import { ByteReader } from '../byte-reader.ts';
import { ByteWriter } from '../byte-writer.ts';
import { DecodeError } from '../errors.ts';
import { DEFAULT_FORMATS, type Formats } from '../formats.ts';
import { WordList } from '../transaction/flat-parts.ts';
import type { KnownHashes } from '../transaction/hashed-transaction.ts';
import type { OutlinedPackage } from '../transaction/outlines.ts';
import { readParsedTransaction } from '../transaction/transaction.ts';
import type { ParsedTransaction } from '../transaction/types.ts';

/** First four bytes of a bootstrap file, as a little-endian number. */
const MAGIC = 0x28721586;
/** Bytes reserved for the header after the magic; unused ones are zero. */
const HEADER_SIZE = 1024;

/** Bytes of a bootstrap file before the first block. */
export const BOOTSTRAP_HEADER_BYTES = 4 + HEADER_SIZE;

/** The header of a bootstrap file (`blockchain.raw`). */
export interface BootstrapHeader {
  /** 1; files of version 0 have cumulative difficulties of 64 bits. */
  readonly majorVersion: number;
  readonly minorVersion: number;
  /** Height of the first block in the file. */
  readonly firstBlock: number;
  /** Height of the last block in the file; 0 when the writer did not know it. */
  readonly lastBlock: number;
}

/** Returns the {@link BOOTSTRAP_HEADER_BYTES} bytes at the start of a file of version 1, from two heights. */
export function encodeBootstrapHeader(firstBlock: number, lastBlock: number): Uint8Array {
  const file = new ByteWriter(16).u8(1).u8(0).varint(HEADER_SIZE).toBytes();
  const blocks = new ByteWriter(32).varint(firstBlock).varint(lastBlock).varint(0).toBytes();
  const used = new ByteWriter(64);
  used.u32le(MAGIC);
  used.u32le(file.length).bytes(file);
  used.u32le(blocks.length).bytes(blocks);
  const header = new Uint8Array(BOOTSTRAP_HEADER_BYTES);
  header.set(used.toBytes());
  return header;
}

/**
 * Reads the start of a bootstrap file.
 *
 * `bytes`: at least {@link BOOTSTRAP_HEADER_BYTES} bytes; more are ignored.
 * Throws DecodeError when it is not a bootstrap file or has an unknown version.
 * Source: src/blockchain_utilities/bootstrap_file.cpp and bootstrap_serialization.h.
 */
export function decodeBootstrapHeader(bytes: Uint8Array): BootstrapHeader {
  const reader = new ByteReader(bytes);
  if (reader.u32le() !== MAGIC) throw new DecodeError('not a bootstrap file', 0);
  const file = section(reader);
  const majorVersion = file.u8();
  const minorVersion = file.u8();
  const headerSize = file.varintNumber(0xffff_ffff, 32);
  if (majorVersion > 1 || headerSize !== HEADER_SIZE) {
    throw new DecodeError(`bootstrap file of version ${majorVersion}.${minorVersion}`, 8);
  }
  const blocks = section(reader);
  const firstBlock = blocks.varintNumber();
  const lastBlock = blocks.varintNumber();
  return { majorVersion, minorVersion, firstBlock, lastBlock };
}

/** Reads a part of the header: its size in four bytes, then its bytes. */
function section(reader: ByteReader): ByteReader {
  const size = reader.u32le();
  if (size > HEADER_SIZE) throw new DecodeError(`header part of ${size} bytes`, reader.offset);
  return new ByteReader(reader.bytes(size));
}

/**
 * Most bytes of a package in a bootstrap file: as many as in a message between peers. monerod's importer takes
 * 2 MiB.
 */
export const MAX_BOOTSTRAP_PACKAGE = 104_857_600;

/** Bytes of the smallest transaction, which bound the number of transactions in a package. */
export const MIN_TRANSACTION_BYTES = 6;

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
 * `majorVersion`: of the file's header. `outlined`: of its block and transactions, if another thread has outlined them. `formats`: of
 * the network.
 * Throws DecodeError when malformed or not consumed to its end.
 * Source: src/blockchain_utilities/bootstrap_serialization.h.
 */
export function decodeBootstrapPackage(
  bytes: Uint8Array,
  majorVersion: number,
  outlined?: OutlinedPackage,
  formats: Formats = DEFAULT_FORMATS,
): ParsedBootstrapPackage {
  const reader = new ByteReader(bytes);
  const block = readParsedBlock(reader, hashesOf(bytes, outlined), formats);
  const count = reader.count(MIN_TRANSACTION_BYTES);
  const txs: ParsedTransaction[] = [];
  const list = new WordList();
  for (let i = 0; i < count; i++)
    txs.push(
      takeOutlined(reader, i, outlined, formats) ?? readParsedTransaction(reader, list, formats),
    );
  const weight = reader.varintNumber();
  const high = majorVersion === 0 ? 0n : reader.varint();
  const cumulativeDifficulty = (high << 64n) | reader.varint();
  const generatedCoins = reader.varint();
  reader.end();
  return { block, txs, weight, cumulativeDifficulty, generatedCoins };
}

function takeOutlined(
  reader: ByteReader,
  position: number,
  outlined: OutlinedPackage | undefined,
  formats: Formats,
): ParsedTransaction | undefined {
  const size = outlined?.of.sizeOf(outlined.first + position, formats) ?? 0;
  return size === 0
    ? undefined
    : outlined?.of.at(outlined.first + position, { blob: reader.bytes(size) }, formats);
}

/** Returns the hashes of the block of a package, if another thread has computed them. */
function hashesOf(
  { length }: Uint8Array,
  outlined: OutlinedPackage | undefined,
): KnownHashes | undefined {
  const known = outlined?.block;
  return known?.size === length ? known.hashes : undefined;
}

/**
 * Reads only the block in the bytes of a package, whose transactions follow it unread. Throws DecodeError when it is malformed.
 *
 * `formats`: of the network. `outlined`: of the package, if another thread has outlined it.
 */
export function decodeBootstrapBlock(
  bytes: Uint8Array,
  formats: Formats = DEFAULT_FORMATS,
  outlined?: OutlinedPackage,
): ParsedBlock {
  return readParsedBlock(new ByteReader(bytes), hashesOf(bytes, outlined), formats);
}
