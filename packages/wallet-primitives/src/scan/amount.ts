import { bytesEqual, concatBytes, type RctBase } from '@monero-node/codec';
import {
  type CryptoBackend,
  hashToScalarBytes,
  keccak256,
  type PointSum,
  reduceToScalar,
  subtractScalars,
} from '@monero-node/crypto';
import { G_BYTES, H } from '../keys/points.ts';

const AMOUNT = new TextEncoder().encode('amount');
const COMMITMENT_MASK = new TextEncoder().encode('commitment_mask');

/** The amount of an output as its recipient decodes it, before it is compared with the commitment. */
export interface HiddenAmount {
  /** Atomic units, below 2^64. */
  readonly amount: bigint;
  /** The mask of the commitment, a scalar of 32 bytes. */
  readonly mask: Uint8Array;
  /** mask·G + amount·H, which must be the commitment. */
  readonly opening: PointSum;
  /** The commitment, 32 bytes. */
  readonly commitment: Uint8Array;
}

/**
 * Returns the mask of the commitment of an output, a scalar of 32 bytes, for the scalar Hs(derivation ‖ index) of 32 bytes.
 * Source: genCommitmentMask in src/ringct/rctOps.cpp.
 */
export function commitmentMask(sharedScalar: Uint8Array): Uint8Array {
  return hashToScalarBytes(COMMITMENT_MASK, sharedScalar);
}

/**
 * Returns an amount of 8 bytes, little-endian, encrypted or decrypted, for the scalar Hs(derivation ‖ index) of 32 bytes.
 * Source: ecdhHash in src/ringct/rctOps.cpp.
 */
export function cryptAmount(amount: Uint8Array, sharedScalar: Uint8Array): Uint8Array {
  const pad = keccak256(concatBytes(AMOUNT, sharedScalar));
  return amount.map((byte, i) => byte ^ (pad[i] as number));
}

/**
 * Returns the amount and the mask of output `index` of a RingCT transaction, for the scalar Hs(derivation ‖ index).
 * Undefined for a transaction of type 0 or an output that has no commitment. Types 1 to 3 hide a mask and an amount of
 * 32 bytes each; later types derive the mask and hide 8 bytes.
 * Source: ecdhDecode in src/ringct/rctOps.cpp, decodeRctSimple in src/ringct/rctSigs.cpp.
 */
export function hiddenAmount(
  rct: RctBase,
  index: number,
  sharedScalar: Uint8Array,
): HiddenAmount | undefined {
  const info = rct.ecdhInfo[index];
  const commitment = rct.outPk[index];
  if (rct.type === 0 || info === undefined || commitment === undefined) return undefined;
  const amount = new Uint8Array(32);
  let mask: Uint8Array;
  if (info.mask !== undefined) {
    const first = hashToScalarBytes(sharedScalar);
    mask = subtractScalars(reduceToScalar(info.mask), first);
    amount.set(subtractScalars(reduceToScalar(info.amount), hashToScalarBytes(first)));
  } else {
    mask = commitmentMask(sharedScalar);
    amount.set(cryptAmount(info.amount, sharedScalar));
  }
  const opening = { a: mask, A: G_BYTES, b: amount, B: H };
  return { amount: new DataView(amount.buffer).getBigUint64(0, true), mask, opening, commitment };
}

/** Returns for each amount whether its commitment fits. */
export function checkCommitments(
  amounts: readonly HiddenAmount[],
  backend: CryptoBackend,
): boolean[] {
  const opened = backend.addMultiples(amounts.map(({ opening }) => opening));
  return amounts.map(({ commitment }, i) => {
    const point = opened[i];
    return point !== undefined && bytesEqual(point, commitment);
  });
}
