import { ELEMENT_BYTES, SAL_BYTES, TUPLE_BYTES } from '@monero-node/codec/fcmp-proof-size';
import { type FcmpStatement, isScalar } from '@monero-node/crypto';

/** Points of a spend proof, which come before its scalars. */
const POINTS = 6;

/**
 * Returns whether all scalars of the spend proofs (SA+L) are below the order of the group. Upstream fails with an exception for others,
 * while it answers for whatever else is wrong in a proof.
 *
 * Source: monero-oxide, monero-oxide/ringct/fcmp++/src/sal/mod.rs; layout of proofs in `@monero-node/fcmp`.
 */
export function areSpendScalarsReduced({ pseudoOuts, proof }: FcmpStatement): boolean {
  const blockBytes = TUPLE_BYTES + SAL_BYTES;
  return pseudoOuts.every((_, i) => {
    const scalars = proof.subarray(
      i * blockBytes + TUPLE_BYTES + POINTS * ELEMENT_BYTES,
      (i + 1) * blockBytes,
    );
    for (let at = 0; at < scalars.length; at += ELEMENT_BYTES) {
      if (!isScalar(scalars.subarray(at, at + ELEMENT_BYTES))) return false;
    }
    return true;
  });
}
