import { keccak_256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { G } from '../curve/point.ts';
import { encodeScalar, hashToScalar, reduceScalar } from '../curve/scalar.ts';
import { addTerms } from '../insecure-signer/add-terms.ts';

const G_BYTES = G.toBytes();

/** A repeatable source of test data, a Keccak chain from a name. Never for real secrets. */
export interface TestRandom {
  /** 32 bytes. */
  bytes(): Uint8Array;
  /** A scalar in [0, l). */
  scalar(): bigint;
  /** The encoding of a point of the prime-order subgroup. */
  point(): Uint8Array;
}

export function createTestRandom(seed: string): TestRandom {
  let state = keccak_256(utf8ToBytes(seed));
  const bytes = (): Uint8Array => {
    state = keccak_256(state);
    return state.slice();
  };
  const scalar = (): bigint => hashToScalar(encodeScalar(reduceScalar(bytes())), bytes());
  return { bytes, scalar, point: () => addTerms([[[scalar(), G_BYTES]]])[0] as Uint8Array };
}
