import { ByteReader } from '@monero-node/codec/byte-reader';
import { ByteWriter } from '@monero-node/codec/byte-writer';
import { concatBytes } from '@monero-node/codec/bytes';
import { DecodeError } from '@monero-node/codec/errors';
import { keccak256 } from '@monero-node/keccak';

/** The hashes of the blocks at heights 512·g to 512·g + 511. */
export interface BlockGroup {
  /** Keccak-256 of their ids. */
  readonly ids: Uint8Array;
  /** Keccak-256 of their weights, each 8 bytes little-endian. */
  readonly weights: Uint8Array;
}

/**
 * Reads a file of block-group hashes: a 4-byte little-endian count, then 64 bytes for each group.
 *
 * Throws DecodeError when the size does not fit the count.
 *
 * Source: Blockchain::load_compiled_in_block_hashes in src/cryptonote_core/blockchain.cpp.
 */
export function parseBlockGroups(bytes: Uint8Array): BlockGroup[] {
  const reader = new ByteReader(bytes);
  const count = reader.u32le();
  if (reader.remaining !== count * 64) {
    throw new DecodeError(`${count} groups in ${reader.remaining} bytes`, 4);
  }
  return Array.from({ length: count }, () => ({
    ids: reader.bytes(32).slice(),
    weights: reader.bytes(32).slice(),
  }));
}

/**
 * Returns the bytes of a file of block-group hashes, as parseBlockGroups reads them.
 *
 * Source: Blockchain::load_compiled_in_block_hashes in src/cryptonote_core/blockchain.cpp.
 */
export function encodeBlockGroups(groups: readonly BlockGroup[]): Uint8Array {
  const writer = new ByteWriter(4 + 64 * groups.length);
  writer.u32le(groups.length);
  for (const { ids, weights } of groups) writer.bytes(ids).bytes(weights);
  return writer.toBytes();
}

/**
 * Returns the Keccak-256 of block ids, 32 bytes each.
 *
 * Source: Blockchain::prevalidate_block_hashes in src/cryptonote_core/blockchain.cpp.
 */
export function hashGroupIds(ids: readonly Uint8Array[]): Uint8Array {
  return keccak256(concatBytes(...ids));
}

/**
 * Returns the Keccak-256 of block weights, each as 8 bytes little-endian.
 *
 * Source: Blockchain::prevalidate_block_hashes in src/cryptonote_core/blockchain.cpp.
 */
export function hashGroupWeights(weights: readonly bigint[]): Uint8Array {
  return keccak256(new Uint8Array(new BigUint64Array(weights).buffer));
}
