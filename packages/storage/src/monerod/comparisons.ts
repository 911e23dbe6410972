import { readUint64 } from './little-endian.ts';

/**
 * Compares a stored key, `bytes` from `start` up to `end`, with the key that is looked for: negative when the stored
 * one comes first, positive when it comes later. Undefined when the stored key cannot be one of this tree.
 */
export type Comparison = (bytes: Buffer, start: number, end: number) => number | undefined;

const UINT64_BYTES = 8;
const HASH_BYTES = 32;

/**
 * Compares the first eight bytes as a number, as LMDB does with MDB_INTEGERKEY.
 * Source: compare_uint64 in src/blockchain_db/lmdb/db_lmdb.cpp.
 */
export function byNumber(wanted: number): Comparison {
  return (bytes, start, end) =>
    end - start < UINT64_BYTES ? undefined : readUint64(bytes, start) - wanted;
}

/**
 * Compares the first 32 bytes as eight numbers of 32 bits, the last one first.
 * Source: compare_hash32 in src/blockchain_db/lmdb/db_lmdb.cpp.
 */
export function byHash(wanted: Uint8Array): Comparison {
  const hash = Buffer.from(wanted);
  return (bytes, start, end) => {
    if (end - start < HASH_BYTES) return undefined;
    for (let at = HASH_BYTES - 4; at >= 0; at -= 4) {
      const difference = bytes.readUInt32LE(start + at) - hash.readUInt32LE(at);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

/** Compares byte by byte, a shorter key before the longer ones that it begins: the order of names of tables. */
export function byBytes(wanted: Uint8Array): Comparison {
  return (bytes, start, end) => bytes.compare(wanted, 0, wanted.length, start, end);
}

/**
 * Compares keys of the table `properties`, which end with a zero byte.
 * Source: compare_string in src/blockchain_db/lmdb/db_lmdb.cpp.
 */
export function byName(wanted: string): Comparison {
  const name = Buffer.from(`${wanted}\0`, 'latin1');
  return (bytes, start, end) => {
    const size = Math.min(end - start, name.length);
    for (let i = 0; i < size; i++) {
      const difference = bytes.readUInt8(start + i) - name.readUInt8(i);
      if (difference !== 0) return difference;
      if (name.readUInt8(i) === 0) break;
    }
    return end - start - name.length;
  };
}
