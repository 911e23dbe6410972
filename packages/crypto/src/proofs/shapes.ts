// The sizes of a proof's lists and fields, which are checked before a backend looks at their contents.
import { isBytes } from '@noble/hashes/utils.js';
import type {
  BorromeanProof,
  BulletproofPlusProof,
  BulletproofProof,
  ClsagProof,
  MlsagProof,
  OutputCandidate,
  PointSum,
  RingSignatureProof,
} from '../types.ts';
import { decodeScalar } from '../curve/scalar.ts';
import { MAX_OUTPUTS } from './bulletproof-generators.ts';

const AMOUNT_LIMIT = 2n ** 64n;
/** log2(64): the rounds of a range proof over one amount. */
const ROUNDS_FOR_ONE = 6;
/** Bytes of c ‖ r in a ring signature. */
const SIGNATURE_SIZE = 64;
/** Bits of an amount, one ring each. */
const BORROMEAN_BITS = 64;

/** Returns whether the amount is an unsigned 64-bit integer. */
export function isAmount(amount: bigint): boolean {
  return amount >= 0n && amount < AMOUNT_LIMIT;
}

/** Returns whether this is an array of 32 bytes, the size of every point and scalar. */
export function isElement(bytes: Uint8Array | undefined): boolean {
  return bytes?.length === 32 && isBytes(bytes);
}

/** Returns whether a signature has one scalar per ring member, at least one member, and fields of 32 bytes. */
export function hasClsagShape(proof: ClsagProof): boolean {
  const { ring, s } = proof;
  return (
    ring.length >= 1 &&
    s.length === ring.length &&
    isElement(proof.message) &&
    isElement(proof.pseudoOut) &&
    isElement(proof.keyImage) &&
    isElement(proof.D) &&
    isElement(proof.c1) &&
    ring.every((member) => isElement(member.key) && isElement(member.commitment)) &&
    s.every(isElement)
  );
}

/** The lists that Bulletproofs and Bulletproofs+ have in common; elements of 32 bytes. */
export interface RangeProofLists {
  readonly commitments: readonly Uint8Array[];
  readonly L: readonly Uint8Array[];
  readonly R: readonly Uint8Array[];
}

/**
 * Returns the number of amounts after padding to a power of two (1 to 16), or undefined if the lengths of the
 * lists do not fit: 1 to 16 commitments and, in L and R, the rounds of the smallest padding.
 */
export function paddedOutputCount({ commitments, L, R }: RangeProofLists): number | undefined {
  const outputs = commitments.length;
  if (outputs < 1 || outputs > MAX_OUTPUTS) return undefined;
  const doublings = Math.ceil(Math.log2(outputs));
  const rounds = ROUNDS_FOR_ONE + doublings;
  return L.length === rounds && R.length === rounds ? 2 ** doublings : undefined;
}

function hasRangeProofLists(proof: RangeProofLists): boolean {
  return (
    paddedOutputCount(proof) !== undefined &&
    [proof.commitments, proof.L, proof.R].every((list) => list.every(isElement))
  );
}

/** Returns whether all fields have 32 bytes and the lists fit together. */
export function hasBulletproofPlusShape(proof: BulletproofPlusProof): boolean {
  const { A, A1, B, r1, s1, d1 } = proof;
  return [A, A1, B, r1, s1, d1].every(isElement) && hasRangeProofLists(proof);
}

/** Returns whether all fields have 32 bytes and the lists fit together. */
export function hasBulletproofShape(proof: BulletproofProof): boolean {
  const { A, S, T1, T2, taux, mu, a, b, t } = proof;
  return [A, S, T1, T2, taux, mu, a, b, t].every(isElement) && hasRangeProofLists(proof);
}

/** Returns whether there is one signature of 64 bytes per ring member, and the other fields have 32 bytes. */
export function hasRingSignatureShape(proof: RingSignatureProof): boolean {
  const { message, keyImage, ring, signatures } = proof;
  return (
    isElement(message) &&
    isElement(keyImage) &&
    ring.every(isElement) &&
    signatures.length === ring.length &&
    signatures.every((signature) => signature.length === SIGNATURE_SIZE)
  );
}

/** Returns whether the ring has at least two positions, all lists fit the key images, and fields have 32 bytes. */
export function hasMlsagShape(proof: MlsagProof): boolean {
  const { message, ring, keyImages, offsets, fee, ss, cc } = proof;
  const inputs = keyImages.length;
  return (
    ring.length >= 2 &&
    inputs >= 1 &&
    ss.length === ring.length &&
    ss.every((scalars) => scalars.length === inputs + 1 && scalars.every(isElement)) &&
    ring.every((column) => column.length === inputs) &&
    ring.flat().every(({ key, commitment }) => isElement(key) && isElement(commitment)) &&
    [message, cc, ...keyImages, ...offsets].every(isElement) &&
    isAmount(fee)
  );
}

/** Returns whether the three lists have 64 elements, and all fields 32 bytes. */
export function hasBorromeanShape({ commitment, ee, s0, s1, Ci }: BorromeanProof): boolean {
  return (
    isElement(commitment) &&
    isElement(ee) &&
    [s0, s1, Ci].every((list) => list.length === BORROMEAN_BITS && list.every(isElement))
  );
}

/** Returns whether the fields of an output have their sizes and ranges. */
export function hasCandidateShape({
  derivation,
  index,
  key,
  viewTag = 0,
}: OutputCandidate): boolean {
  const isIndex = Number.isInteger(index) && index >= 0 && index < 2 ** 32;
  const isTag = Number.isInteger(viewTag) && viewTag >= 0 && viewTag < 256;
  return isElement(derivation) && isElement(key) && isIndex && isTag;
}

/** Returns whether all four fields have 32 bytes. */
export function hasSumShape({ a, A, b, B }: PointSum): boolean {
  return [a, A, b, B].every(isElement);
}

/** Throws RangeError unless the bytes are a scalar below l. */
export function checkSecret(secret: Uint8Array): void {
  if (decodeScalar(secret) === undefined) throw new RangeError('a secret is a scalar below l');
}
