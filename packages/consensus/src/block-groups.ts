import { ByteReader, ByteWriter, concatBytes, DecodeError } from '@monero-node/codec';
import { keccak256 } from '@monero-node/crypto';

/** Blocks whose ids and weights are hashed together (upstream HASH_OF_HASHES_STEP). */
export const BLOCK_GROUP_SIZE = 512;

/** What is known beforehand of the blocks at heights 512·g to 512·g + 511. */
export interface BlockGroup {
  /** Keccak-256 of their ids. */
  readonly ids: Uint8Array;
  /** Keccak-256 of their weights, each 8 bytes little-endian. */
  readonly weights: Uint8Array;
}

/**
 * Reads a file of block-group hashes: a 4-byte little-endian count, then 64 bytes for each group.
 *
 * @throws DecodeError when the size does not fit the count.
 * Source: src/cryptonote_core/blockchain.cpp, load_compiled_in_block_hashes.
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

/** The bytes of a file of block-group hashes. */
export function encodeBlockGroups(groups: readonly BlockGroup[]): Uint8Array {
  const writer = new ByteWriter(4 + 64 * groups.length);
  writer.u32le(groups.length);
  for (const { ids, weights } of groups) writer.bytes(ids).bytes(weights);
  return writer.toBytes();
}

/** Keccak-256 of block ids, 32 bytes each. */
export function hashGroupIds(ids: readonly Uint8Array[]): Uint8Array {
  return keccak256(concatBytes(...ids));
}

/** Keccak-256 of block weights. */
export function hashGroupWeights(weights: readonly bigint[]): Uint8Array {
  return keccak256(new Uint8Array(new BigUint64Array(weights).buffer));
}
