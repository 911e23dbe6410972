import { ByteWriter } from '../byte-writer.ts';
import { RANGE_SIG_SIZE, writeRangeSig } from './proofs.ts';
import type { ParsedTransaction, RctPrunable } from './types.ts';

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
  const writer = new ByteWriter(1024 + RANGE_SIG_SIZE * prunable.rangeSigs.length);
  for (const sig of prunable.rangeSigs) writeRangeSig(writer, sig);
  for (const p of prunable.bulletproofs) {
    writer.keys([p.A, p.S, p.T1, p.T2, p.taux, p.mu]).keys(p.L).keys(p.R).keys([p.a, p.b, p.t]);
  }
  for (const p of prunable.bulletproofsPlus) {
    writer.keys([p.A, p.A1, p.B, p.r1, p.s1, p.d1]).keys(p.L).keys(p.R);
  }
  return writer.toBytes();
}
