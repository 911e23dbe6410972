import { bytesEqual, concatBytes } from '@monero-node/codec';
import { type CryptoBackend, hashToScalarBytes, isScalar, keccak256 } from '@monero-node/crypto';
import { G_BYTES, IDENTITY, ZERO } from '../keys/points.ts';

/** Bytes of a signature: c ‖ r. */
export const SIGNATURE_SIZE = 64;
const TX_PROOF_DOMAIN = keccak256(new TextEncoder().encode('TXPROOF_V2'));

function split(signature: Uint8Array): { c: Uint8Array; r: Uint8Array } | undefined {
  const [c, r] = [signature.subarray(0, 32), signature.subarray(32)];
  return isScalar(c) && isScalar(r) ? { c, r } : undefined;
}

/**
 * Returns whether a signature (64 bytes) over a hash (32 bytes) was made with the secret of a public key.
 * Source: check_signature in src/crypto/crypto.cpp.
 */
export function isSignature(
  { hash, key, signature }: { hash: Uint8Array; key: Uint8Array; signature: Uint8Array },
  backend: CryptoBackend,
): boolean {
  const scalars = split(signature);
  if (scalars === undefined || bytesEqual(scalars.c, ZERO)) return false;
  const { c, r } = scalars;
  const [commitment] = backend.addMultiples([{ a: c, A: key, b: r, B: G_BYTES }]);
  if (commitment === undefined || bytesEqual(commitment, IDENTITY)) return false;
  return bytesEqual(hashToScalarBytes(hash, key, commitment), c);
}

/** A proof that the same secret r leads from a base to R and from A to D. All byte fields have 32 bytes but the signature. */
export interface TxProof {
  readonly hash: Uint8Array;
  readonly R: Uint8Array;
  readonly A: Uint8Array;
  /** The base of R; G if there is none. */
  readonly B?: Uint8Array | undefined;
  readonly D: Uint8Array;
  /** 64 bytes. */
  readonly signature: Uint8Array;
  readonly version: 1 | 2;
}

/**
 * Returns whether R = r·B and D = r·A for some r that the prover knew. Version 1 hashes neither R nor A nor B.
 * Source: check_tx_proof in src/crypto/crypto.cpp.
 */
export function isTxProof(proof: TxProof, backend: CryptoBackend): boolean {
  const { hash, R, A, B, D, signature, version } = proof;
  const scalars = split(signature);
  if (scalars === undefined) return false;
  const { c, r } = scalars;
  const [X, Y] = backend.addMultiples([
    { a: c, A: R, b: r, B: B ?? G_BYTES },
    { a: c, A: D, b: r, B: A },
  ]);
  if (X === undefined || Y === undefined) return false;
  const start = concatBytes(hash, D, X, Y);
  const hashed = version === 1 ? start : concatBytes(start, TX_PROOF_DOMAIN, R, A, B ?? ZERO);
  return bytesEqual(hashToScalarBytes(hashed), c);
}
