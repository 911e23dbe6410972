import { keccak256 } from '@monero-node/keccak';
import { ByteWriter } from '../byte-writer.ts';
import { assertBytes, bytesEqual, fromHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';

/**
 * Mainnet block 202612 has 514 transactions, for which the tree hash of that time was wrong. The id that its
 * successor links to cannot be computed, so it is a constant for exactly this blob.
 * Source: calculate_block_hash in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
const BLOCK_202612 = {
  blobHash: fromHex('3a8a2b3a29b50fc86ff73dd087ea43c6f0d6b8f936c849194d5c84c737903966'),
  id: fromHex('bbd604d2ba11ba27935e006ed39c9bfdd99b76bf4a50654bc1e1e61217962698'),
};

/**
 * Returns the hash (32 bytes) of a hashing blob with its length (a varint) before it: the id of every block but
 * one. The proof of work of block 202612 is recognised by this hash too. Throws TypeError for anything but bytes.
 */
export function hashingBlobHash(hashingBlob: Uint8Array): Uint8Array {
  assertBytes(hashingBlob, 'hashingBlob');
  return keccak256(new ByteWriter(128).varint(hashingBlob.length).bytes(hashingBlob).toBytes());
}

/**
 * Returns the id of a block (32 bytes).
 * `blob`: the whole block, hashed only if `mayBeException`.
 * Throws DecodeError for a block whose computed id is the id of block 202612.
 */
export function blockIdOf(
  hashingBlob: Uint8Array,
  blob: Uint8Array,
  mayBeException: boolean,
): Uint8Array {
  const id = hashingBlobHash(hashingBlob);
  if (!mayBeException) return id;
  if (bytesEqual(keccak256(blob), BLOCK_202612.blobHash)) return BLOCK_202612.id.slice();
  if (bytesEqual(id, BLOCK_202612.id)) throw new DecodeError('not the block of this id');
  return id;
}
