import { ByteReader } from '../byte-reader.ts';
import { ByteWriter } from '../byte-writer.ts';
import { DecodeError } from '../errors.ts';
import { DEFAULT_FORMATS, hasTreeFields, type Formats } from '../formats.ts';
import { runAtOnce, type Steps } from '../steps.ts';
import { MAX_LAYERS } from '../transaction/fcmp-proof-size.ts';
import type { KnownHashes } from '../transaction/hashed-transaction.ts';
import { readOutline, type TransactionOutline } from '../transaction/outline.ts';
import { readTransaction } from '../transaction/read-transaction.ts';
import { encodeTransaction, finishTransaction } from '../transaction/transaction.ts';
import type { TxInput } from '../transaction/types.ts';
import { HashedBlock, blockIdOf, joinHashingBlob } from './hashed-block.ts';
import type { Block, BlockHeader, CurveTreeRoot, ParsedBlock } from './types.ts';

/** Transaction ids that one step reads. */
const IDS_PER_STEP = 2048;
/**
 * Bytes of the longest block that is compared with block 202612, which has 16,672. The comparison hashes the block
 * before anything of it was checked, and a longer one with the same id cannot be made.
 */
const MAX_EXCEPTION = 32 * 1024;

/**
 * Parses a block: its header, its miner transaction, the ids of the other transactions and from version 17 on its curve tree.
 *
 * Byte fields of the result are views of `blob`. Timestamps and heights beyond 2^53 - 1 are refused although
 * the format has room for them; no valid block has them.
 * Throws DecodeError when malformed or not consumed to its end.
 * Source: src/cryptonote_basic/cryptonote_basic.h.
 */
export function parseBlock(blob: Uint8Array, formats: Formats = DEFAULT_FORMATS): ParsedBlock {
  return runAtOnce(readWhole(blob, Infinity, formats));
}

/**
 * Parses the bytes of a block as `parseBlock` does and computes its hashes, in steps: for a block from outside, which may list many
 * transactions. Throws DecodeError when malformed, not consumed to its end, or with more transaction ids than `maxTxs`,
 * before any of them is read.
 */
export function* parseBlockSteps(
  blob: Uint8Array,
  maxTxs = Infinity,
  formats: Formats = DEFAULT_FORMATS,
): Steps<ParsedBlock> {
  const parsed = yield* readWhole(blob, maxTxs, formats);
  yield undefined;
  yield* parsed.hash();
  return parsed;
}

/**
 * Reads a block that may be followed by other data. Throws DecodeError when it is malformed.
 * `hashes`: of the same block as the newest formats read it, if they are known.
 */
export function readParsedBlock(
  reader: ByteReader,
  hashes?: KnownHashes,
  formats: Formats = DEFAULT_FORMATS,
): HashedBlock {
  return runAtOnce(readBlock(reader, Infinity, formats, hashes));
}

function* readWhole(blob: Uint8Array, maxTxs: number, formats: Formats): Steps<HashedBlock> {
  const reader = new ByteReader(blob);
  const parsed = yield* readBlock(reader, maxTxs, formats);
  reader.end();
  return reader.sawTruncatedVarint
    ? yield* readWhole(encodeBlock(parsed.block), maxTxs, formats)
    : parsed;
}

function* readBlock(
  reader: ByteReader,
  maxTxs: number,
  formats: Formats,
  knownHashes?: KnownHashes,
): Steps<HashedBlock> {
  const start = reader.offset;
  const header = readHeader(reader);
  const headerSize = reader.offset - start;
  const read = readTransaction(reader, 'full', formats);
  const isAmbiguous =
    hasTreeFields(DEFAULT_FORMATS, header.majorVersion) ||
    read.tx.outputs.some(({ target }) => target.kind === 'scripthash');
  const hashes = formats === DEFAULT_FORMATS || !isAmbiguous ? knownHashes : undefined;
  const minerTx = finishTransaction(reader, read, { hashes });
  const count = reader.count(32);
  if (count > maxTxs) throw new DecodeError(`${count} transaction ids, at most ${maxTxs} expected`);
  const txHashes: Uint8Array[] = [];
  for (let left = count; left > 0; left -= IDS_PER_STEP) {
    if (txHashes.length > 0) yield undefined;
    for (const id of reader.keys(Math.min(left, IDS_PER_STEP))) txHashes.push(id);
  }
  const tree = hasTreeFields(formats, header.majorVersion) ? readTree(reader) : undefined;
  const block: Block = { ...header, minerTx: read.tx, txHashes, ...(tree && { tree }) };
  const blob = reader.slice(start, reader.offset);
  return new HashedBlock({
    block,
    blob,
    minerTx,
    headerSize,
    mayBeException: blob.length <= MAX_EXCEPTION && mayBeBlock202612(read.tx.inputs),
    formats,
    hashes,
  });
}

/** Reads the curve tree that a block commits to. Throws DecodeError for more layers than a tree can have. */
function readTree(reader: ByteReader): CurveTreeRoot {
  const layers = reader.u8();
  if (layers > MAX_LAYERS)
    throw new DecodeError(`curve tree of ${layers} layers`, reader.offset - 1);
  return { layers, root: reader.bytes(32) };
}

/** Reads the header at the beginning of a block's bytes, without looking at the rest. Throws DecodeError. */
export function parseBlockHeader(blob: Uint8Array): BlockHeader {
  return readHeader(new ByteReader(blob));
}

/** Returns the bytes of a block. Throws RangeError for a field of the wrong size. */
export function encodeBlock(block: Block): Uint8Array {
  const writer = new ByteWriter(256 + 32 * block.txHashes.length);
  writeHeader(writer, block);
  writer.bytes(encodeTransaction(block.minerTx));
  writer.varint(block.txHashes.length).keys(block.txHashes);
  if (block.tree !== undefined) writer.u8(block.tree.layers).key(block.tree.root);
  return writer.toBytes();
}

/**
 * Returns the bytes that proof of work is computed over: the header, the tree hash of all transaction ids (and of the curve tree, if the
 * block has one) and the number of transactions, miner transaction included. Usually 76 or 77 bytes.
 * Source: get_block_hashing_blob in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function blockHashingBlob(block: Block, formats: Formats = DEFAULT_FORMATS): Uint8Array {
  const blob = encodeTransaction(block.minerTx);
  const reader = new ByteReader(blob);
  // The kind of an output is known here, whichever formats the block was read in.
  const hasScriptHash = block.minerTx.outputs.some(({ target }) => target.kind === 'scripthash');
  const read = readTransaction(reader, 'full', hasScriptHash ? 'ringct' : DEFAULT_FORMATS);
  const minerTx = finishTransaction(reader, read);
  const header = new ByteWriter(64);
  writeHeader(header, block);
  return runAtOnce(joinHashingBlob(header.toBytes(), minerTx.id, block, formats));
}

/**
 * Returns the id of a block (32 bytes), with one historical exception (see `hashed-block.ts`).
 * Throws DecodeError for a block whose computed id is the id of that exception.
 */
export function blockId(block: Block, formats: Formats = DEFAULT_FORMATS): Uint8Array {
  return blockIdOf(
    blockHashingBlob(block, formats),
    encodeBlock(block),
    mayBeBlock202612(block.minerTx.inputs),
  );
}

/** Reads a header that is followed by other data. Throws DecodeError when it is malformed. */
function readHeader(reader: ByteReader): BlockHeader {
  return {
    majorVersion: reader.varintNumber(0xff, 8),
    minorVersion: reader.varintNumber(0xff, 8),
    timestamp: reader.varintNumber(),
    prevId: reader.bytes(32),
    nonce: reader.u32le(),
  };
}

function writeHeader(writer: ByteWriter, header: BlockHeader): void {
  writer.varint(header.majorVersion).varint(header.minorVersion).varint(header.timestamp);
  writer.key(header.prevId).u32le(header.nonce);
}

/** Whether a block can be block 202612: its miner input has that height, or is malformed. */
function mayBeBlock202612(inputs: readonly TxInput[]): boolean {
  const [input] = inputs;
  return inputs.length !== 1 || input?.kind !== 'gen' || input.height === 202612;
}

/**
 * Returns the outline of the miner transaction in the bytes of a block. Throws DecodeError for a malformed header, and as
 * `outlineTransaction` does.
 */
export function outlineMinerTransaction(
  block: Uint8Array,
  formats: Formats = DEFAULT_FORMATS,
): TransactionOutline {
  const reader = new ByteReader(block);
  readHeader(reader);
  return readOutline(reader, formats);
}
