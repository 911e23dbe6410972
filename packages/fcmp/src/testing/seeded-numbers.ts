import { keccak256 } from '@monero-node/keccak';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** A repeatable source of test data, a Keccak chain from a name. Never for real secrets. */
export interface SeededNumbers {
  /** A number of [0, limit), for limits up to 2^256. */
  below(limit: bigint): bigint;
}

/** Returns the numbers of a name. */
export function seededNumbers(name: string): SeededNumbers {
  let state = keccak256(utf8ToBytes(name));
  const bytes = (): Uint8Array => (state = keccak256(state));
  return { below: (limit) => bytesToNumberLE(concatBytes(bytes(), bytes())) % limit };
}
