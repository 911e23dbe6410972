import { hashToPoint } from '../curve/hash-to-point.ts';
import { decodePoint, G, type Point } from '../curve/point.ts';
import { encodeScalar, Fn, INV_EIGHT, randomScalar } from '../curve/scalar.ts';
import { aggregationCoefficients, challengeHash } from '../proofs/clsag-hashes.ts';
import type { ClsagProof, RingPoint } from '../types.ts';
import { addTerms, type Term } from './add-terms.ts';

/** Where nonces and masks come from. */
export interface ScalarSource {
  /** Returns a scalar in [0, l). */
  scalar(): bigint;
}

/** The secure source of the system. */
export const SYSTEM_SCALARS: ScalarSource = { scalar: randomScalar };

/** What a signer of one input knows. */
export interface ClsagSecrets {
  /** Position of the spent output in the ring. */
  readonly index: number;
  /** x with ring[index].key = x·G. */
  readonly key: bigint;
  /** z with ring[index].commitment - pseudoOut = z·G. */
  readonly maskDifference: bigint;
}

/** Changes of points before they are signed, for signatures that a verifier must judge. */
export interface ClsagChanges {
  readonly keyImage?: (point: Uint8Array) => Uint8Array;
  readonly D?: (point: Uint8Array) => Uint8Array;
}

const G_BYTES = G.toBytes();

/** Returns the key image x·Hp(x·G), 32 bytes, of a secret key x. */
export function keyImageOf(secretKey: bigint): Uint8Array {
  const [publicKey] = addTerms([[[secretKey, G_BYTES]]]) as [Uint8Array];
  const [keyImage] = addTerms([[[secretKey, hashToPoint(publicKey).toBytes()]]]) as [Uint8Array];
  return keyImage;
}

/**
 * Returns the signature of one input as a wallet makes it, but the time depends on the secrets: for coins without value only. Throws
 * Error where a point of the ring does not decode. Source: CLSAG_Gen in src/ringct/rctSigs.cpp.
 */
export function signClsag(
  statement: Pick<ClsagProof, 'message' | 'ring' | 'pseudoOut'>,
  secrets: ClsagSecrets,
  random: ScalarSource,
  changes: ClsagChanges = {},
): ClsagProof {
  const { message, ring, pseudoOut } = statement;
  const hashBytes = ring.map((member) => hashToPoint(member.key).toBytes());
  const ownHash = hashBytes[secrets.index] as Uint8Array;
  const nonce = random.scalar();
  const s = ring.map(() => random.scalar());
  const [startLeft, startRight, plainKeyImage, D8Bytes, plainD] = addTerms([
    [[nonce, G_BYTES]],
    [[nonce, ownHash]],
    [[secrets.key, ownHash]],
    [[secrets.maskDifference, ownHash]],
    [[Fn.mul(secrets.maskDifference, INV_EIGHT), ownHash]],
  ]) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const keyImage = changes.keyImage?.(plainKeyImage) ?? plainKeyImage;
  const D = changes.D?.(plainD) ?? plainD;
  const signed = { message, ring, pseudoOut, keyImage, D };
  const { muP, muC } = aggregationCoefficients(signed);
  const nextChallenge = challengeHash(signed);
  const minusOffset = (decodePoint(pseudoOut) as Point).negate().toBytes();

  let challenge = nextChallenge(startLeft, startRight);
  let c1 = challenge; // right if the ring has one member or the signer sits last
  for (let step = 1; step < ring.length; step++) {
    const i = (secrets.index + step) % ring.length;
    if (i === 0) c1 = challenge;
    const member = ring[i] as RingPoint;
    const [scalar, keyFactor] = [s[i] as bigint, Fn.mul(challenge, muP)];
    const maskFactor = Fn.mul(challenge, muC);
    const left: Term[] = [
      [scalar, G_BYTES],
      [keyFactor, member.key],
      [maskFactor, member.commitment],
      [maskFactor, minusOffset],
    ];
    const right: Term[] = [
      [scalar, hashBytes[i] as Uint8Array],
      [keyFactor, keyImage],
      [maskFactor, D8Bytes],
    ];
    const [L, R] = addTerms([left, right]) as [Uint8Array, Uint8Array];
    challenge = nextChallenge(L, R);
  }
  if (secrets.index === 0) c1 = challenge;
  const secretSum = Fn.add(Fn.mul(muP, secrets.key), Fn.mul(muC, secrets.maskDifference));
  s[secrets.index] = Fn.sub(nonce, Fn.mul(challenge, secretSum));
  return { ...signed, s: s.map(encodeScalar), c1: encodeScalar(c1) };
}
