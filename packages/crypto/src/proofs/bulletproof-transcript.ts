import { encodeScalar, hashToScalar } from '../curve/scalar.ts';

/** The challenges of one Bulletproof, in the order of its protocol. */
export interface BulletproofChallenges {
  readonly y: bigint;
  readonly z: bigint;
  readonly x: bigint;
  /** The challenge for the inner product itself. */
  readonly xip: bigint;
  /** One challenge for each round of the inner-product argument. */
  readonly w: readonly bigint[];
}

/**
 * Returns the challenges of a Bulletproof: a running hash modulo l, onto which z and x are hashed once more
 * although they are its state. `V`: the encoded output commitments divided by 8; all elements have 32 bytes.
 * Source: hash_cache_mash in src/ringct/bulletproofs.cc.
 */
export function bulletproofChallenges(
  V: readonly Uint8Array[],
  proof: {
    readonly A: Uint8Array;
    readonly S: Uint8Array;
    readonly T1: Uint8Array;
    readonly T2: Uint8Array;
    readonly taux: Uint8Array;
    readonly mu: Uint8Array;
    readonly t: Uint8Array;
    readonly L: readonly Uint8Array[];
    readonly R: readonly Uint8Array[];
  },
): BulletproofChallenges {
  let state = encodeScalar(hashToScalar(...V));
  const append = (...parts: readonly Uint8Array[]): bigint => {
    const challenge = hashToScalar(state, ...parts);
    state = encodeScalar(challenge);
    return challenge;
  };
  const y = append(proof.A, proof.S);
  const z = append();
  const x = append(encodeScalar(z), proof.T1, proof.T2);
  const xip = append(encodeScalar(x), proof.taux, proof.mu, proof.t);
  const w = proof.L.map((left, round) => append(left, proof.R[round] as Uint8Array));
  return { y, z, x, xip, w };
}
