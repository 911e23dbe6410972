import { keccak_256 } from '@noble/hashes/sha3.js';
import { Cursor, varint } from './bytes.ts';
import {
  baseBytes,
  encodeLoose,
  prefixBytes,
  prunableBytes,
  readTransaction,
  type LooseTransaction,
} from './transaction.ts';

/** A decoded block whose fields tests may change freely (see {@link LooseTransaction}). */
export interface LooseBlock {
  major: bigint;
  minor: bigint;
  timestamp: bigint;
  prevId: Buffer;
  nonce: number;
  minerTx: LooseTransaction;
  txHashes: Buffer[];
}

export const keccak = (...parts: Uint8Array[]): Buffer =>
  Buffer.from(keccak_256(Buffer.concat(parts)));

export function readBlock(from: Cursor): LooseBlock {
  return {
    major: from.varint(),
    minor: from.varint(),
    timestamp: from.varint(),
    prevId: from.take(32),
    nonce: from.u32(),
    minerTx: readTransaction(from),
    txHashes: from.keys(from.count()),
  };
}

export function parseLooseBlock(blob: Uint8Array): LooseBlock {
  const from = new Cursor(blob);
  const block = readBlock(from);
  if (from.left > 0) throw new Error(`${from.left} bytes too many`);
  return block;
}

function headerBytes(block: LooseBlock): Buffer {
  const nonce = Buffer.alloc(4);
  nonce.writeUInt32LE(block.nonce);
  return Buffer.concat([
    varint(block.major),
    varint(block.minor),
    varint(block.timestamp),
    block.prevId,
    nonce,
  ]);
}

export function encodeLooseBlock(block: LooseBlock): Buffer {
  return Buffer.concat([
    headerBytes(block),
    encodeLoose(block.minerTx),
    varint(block.txHashes.length),
    ...block.txHashes,
  ]);
}

/** Returns a transaction's id. Source: calculate_transaction_hash in src/cryptonote_basic/cryptonote_format_utils.cpp. */
export function transactionId(tx: LooseTransaction): Buffer {
  if (tx.ringct === undefined) return keccak(encodeLoose(tx));
  return keccak(
    keccak(prefixBytes(tx)),
    keccak(baseBytes(tx.ringct)),
    tx.ringct.type === 0 ? Buffer.alloc(32) : keccak(prunableBytes(tx.ringct)),
  );
}

/** Returns a Merkle root. Source: src/crypto/tree-hash.c. */
function treeHash(hashes: readonly Buffer[]): Buffer {
  const [first, second] = hashes;
  if (first === undefined) throw new Error('a tree of nothing');
  if (second === undefined) return first;
  if (hashes.length === 2) return keccak(first, second);
  let width = 2;
  while (width * 2 < hashes.length) width *= 2;
  const kept = 2 * width - hashes.length;
  let row = [...hashes.slice(0, kept), ...pairs(hashes.slice(kept))];
  while (row.length > 1) row = pairs(row);
  return row[0] ?? first;
}

function pairs(row: readonly Buffer[]): Buffer[] {
  return Array.from({ length: row.length / 2 }, (_, i) => keccak(...row.slice(2 * i, 2 * i + 2)));
}

export function hashingBlob(block: LooseBlock): Buffer {
  return Buffer.concat([
    headerBytes(block),
    treeHash([transactionId(block.minerTx), ...block.txHashes]),
    varint(block.txHashes.length + 1),
  ]);
}

export function blockId(block: LooseBlock): Buffer {
  const blob = hashingBlob(block);
  return keccak(varint(blob.length), blob);
}
