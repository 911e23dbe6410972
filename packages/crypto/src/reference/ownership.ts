import { viewTag as viewTagOf, varint } from '../curve/one-time-key.ts';
import { decodePoint, G, Point } from '../curve/point.ts';
import { decodeScalar, hashToScalar } from '../curve/scalar.ts';
import type { OutputBatch } from '../output-batch.ts';
import { hasCandidateShape } from '../proofs/shapes.ts';
import type { OutputCandidate, OutputMatch, PointSum } from '../types.ts';

const G_BYTES = G.toBytes();

/**
 * Returns 8·secret·P, 32 bytes, for a secret below l, or undefined if the key is not a point.
 * Source: generate_key_derivation in src/crypto/crypto.cpp.
 */
export function keyDerivation(secret: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined {
  const scalar = decodeScalar(secret);
  if (scalar === undefined) return undefined;
  return decodePoint(publicKey)?.multiplyUnsafe(scalar).clearCofactor().toBytes();
}

/**
 * Returns P - Hs(derivation ‖ index)·G, 32 bytes, or undefined if the view tag does not fit or P is not a point.
 * Source: is_out_to_acc_precomp in src/cryptonote_basic/cryptonote_format_utils.cpp, derive_subaddress_public_key in
 * src/crypto/crypto.cpp.
 */
export function spendKey(candidate: OutputCandidate): Uint8Array | undefined {
  if (!hasCandidateShape(candidate)) return undefined;
  const { derivation, index, key, viewTag } = candidate;
  if (viewTag !== undefined && viewTagOf(derivation, index) !== viewTag) return undefined;
  const shift = hashToScalar(derivation, varint(index));
  return decodePoint(key)?.subtract(G.multiplyUnsafe(shift)).toBytes();
}

/** Returns the outputs of a batch that have a spend key, for a secret of 32 bytes below l; see `CryptoBackend.findSpendKeys`. */
export function findSpendKeys(secret: Uint8Array, batch: OutputBatch): OutputMatch[] {
  const { publicKeys } = batch;
  const derivations: Uint8Array[] = [];
  for (let at = 0; at < publicKeys.length; at += 32) {
    const derivation = keyDerivation(secret, publicKeys.slice(at, at + 32));
    derivations.push(derivation ?? Point.ZERO.toBytes());
  }
  const matches: OutputMatch[] = [];
  for (let output = 0; output < batch.size; output++) {
    const derivation = derivations[batch.publicKeyOf(output)] as Uint8Array;
    const key = spendKey(batch.candidate(output, derivation));
    if (key !== undefined) matches.push({ output, derivation, spendKey: key });
  }
  return matches;
}

/** Returns a·A + b·B, 32 bytes, or undefined if a point does not decode or a scalar is not below l. */
export function addMultiples({ a, A, b, B }: PointSum): Uint8Array | undefined {
  const [first, second] = [multiple(a, A), multiple(b, B)];
  return first && second && first.add(second).toBytes();
}

/** Most sums have G, for which noble keeps multiples, or a scalar 0 or 1 in them. */
function multiple(scalar: Uint8Array, encoded: Uint8Array): Point | undefined {
  const factor = decodeScalar(scalar);
  const isG = encoded.length === 32 && encoded.every((byte, i) => byte === G_BYTES[i]);
  const point = isG ? G : decodePoint(encoded);
  if (factor === undefined || point === undefined) return undefined;
  if (factor === 0n) return Point.ZERO;
  return factor === 1n ? point : point.multiplyUnsafe(factor);
}
