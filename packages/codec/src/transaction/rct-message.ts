import { concatBytes } from '../bytes.ts';
import type { Bulletproof, BulletproofPlus, ParsedTransaction, RctPrunable } from './types.ts';

/**
 * Returns the message that the ring signatures of a RingCT transaction sign (32 bytes): the hash of the hashes
 * of prefix, base and range proofs. Source: get_pre_mlsag_hash in src/ringct/rctSigs.cpp.
 * Throws RangeError unless the transaction has RingCT type 1 … 6 and is not pruned.
 */
export function rctSignatureMessage(parsed: ParsedTransaction): Uint8Array {
  const { signatureMessage } = parsed;
  if (signatureMessage === undefined) {
    throw new RangeError('only a full RingCT transaction with signatures has a message');
  }
  return signatureMessage;
}

/** Returns the range proofs of a transaction without list lengths; a transaction has only one kind. */
export function proofBytes(prunable: RctPrunable): Uint8Array {
  return concatBytes(
    ...prunable.rangeSigs.flatMap((sig) => [...sig.s0, ...sig.s1, sig.ee, ...sig.Ci]),
    ...prunable.bulletproofs.flatMap(bulletproofParts),
    ...prunable.bulletproofsPlus.flatMap(bulletproofPlusParts),
  );
}

function bulletproofParts(p: Bulletproof): Uint8Array[] {
  return [p.A, p.S, p.T1, p.T2, p.taux, p.mu, ...p.L, ...p.R, p.a, p.b, p.t];
}

function bulletproofPlusParts(p: BulletproofPlus): Uint8Array[] {
  return [p.A, p.A1, p.B, p.r1, p.s1, p.d1, ...p.L, ...p.R];
}
