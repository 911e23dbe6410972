import { rctSignatureMessage } from '@monero-node/codec';
import type { ParsedTransaction, RctPrunable } from '@monero-node/codec';
import { fcmpPlusPlusProofBytes, hasProofs } from '@monero-node/codec/fcmp-proof-size';
import type { BalanceStatement, CryptoCheck } from '@monero-node/crypto';
import type { Fail } from '../errors/fail.ts';

/** The range proofs of one transaction, all of one kind, as a check for the crypto package. */
export type RangeProofs = Extract<
  CryptoCheck,
  { kind: 'borromean' | 'bulletproof' | 'bulletproof-plus' }
>;

const NO_PROOFS: RctPrunable = {
  rangeSigs: [],
  bulletproofs: [],
  bulletproofsPlus: [],
  mlsags: [],
  clsags: [],
  pseudoOuts: [],
};

/** The lists of proofs that each RingCT type carries. */
const LAYOUTS = {
  1: { rangeProofs: 'rangeSigs', signatures: 'mlsags' },
  2: { rangeProofs: 'rangeSigs', signatures: 'mlsags' },
  3: { rangeProofs: 'bulletproofs', signatures: 'mlsags' },
  4: { rangeProofs: 'bulletproofs', signatures: 'mlsags' },
  5: { rangeProofs: 'bulletproofs', signatures: 'clsags' },
  6: { rangeProofs: 'bulletproofsPlus', signatures: 'clsags' },
  7: { rangeProofs: 'bulletproofsPlus', signatures: undefined },
} as const;

/**
 * Checks the counts of proofs against the counts of inputs and outputs. Decoding already enforces most
 * of it; this also covers transactions that were never decoded from bytes.
 *
 * Throws 'proof-layout' through `fail`.
 *
 * Source: ver_mixed_rct_semantics in src/cryptonote_core/tx_verification_utils.cpp, and
 * verRctSemanticsSimple in src/ringct/rctSigs.cpp.
 *
 * @param p version 2, not pruned
 */
export function checkProofLayout(p: ParsedTransaction, fail: Fail): void {
  const { rct, prunable = NO_PROOFS, inputs, outputs } = p.tx;
  if (rct === undefined || rct.type === 0) return fail('proof-layout', 'no proofs');
  const layout = LAYOUTS[rct.type];
  const expect = (what: string, count: number, expected: number) => {
    if (count !== expected) fail('proof-layout', `${count} ${what}, expected ${expected}`);
  };
  expect('amounts', rct.ecdhInfo.length, outputs.length);
  if (layout.signatures === undefined) checkFcmpLayout(p, fail);
  else {
    const signatures = prunable[layout.signatures].length;
    expect('ring signatures', signatures, rct.type === 1 ? 1 : inputs.length);
  }
  if (rct.type !== 1) expect('pseudo outputs', pseudoOutsOf(p).length, inputs.length);
  const rangeProofs = prunable[layout.rangeProofs];
  const aggregated = layout.rangeProofs !== 'rangeSigs';
  expect('range proofs', rangeProofs.length, aggregated ? 1 : outputs.length);
  for (const proof of aggregated ? prunable[layout.rangeProofs] : []) {
    if (!isSmallestPadding(proof.L.length, proof.R.length, outputs.length)) {
      fail('proof-layout', `range proof of ${proof.L.length} rounds for ${outputs.length} outputs`);
    }
  }
}

/** Checks the parts of a membership proof that are numbers: it refers to no genesis block, and has the length that it must have. */
function checkFcmpLayout({ tx }: ParsedTransaction, fail: Fail): void {
  const { fcmp } = tx.prunable ?? NO_PROOFS;
  if (fcmp === undefined) return fail('proof-layout', 'no membership proof');
  if (fcmp.referenceBlock === 0n) fail('proof-layout', 'reference block 0');
  const [inputs, layers] = [tx.inputs.length, fcmp.treeLayers];
  if (!hasProofs(inputs, layers)) fail('proof-layout', `${inputs} inputs, ${layers} layers`);
  const size = fcmpPlusPlusProofBytes(inputs, layers);
  if (fcmp.proof.length !== size)
    fail('proof-layout', `membership proof of ${fcmp.proof.length} bytes instead of ${size}`);
}

/** Whether a proof covers 1 to 16 outputs, padded to the next power of two and no further. */
function isSmallestPadding(left: number, right: number, outputs: number): boolean {
  const padded = 2 ** (left - 6);
  return left === right && left >= 6 && left <= 10 && padded >= outputs && padded < 2 * outputs;
}

/**
 * Returns the commitments to the amounts of the inputs, 32 bytes each; none for type 1.
 *
 * Source: rctSig::get_pseudo_outs in src/ringct/rctTypes.h.
 */
export function pseudoOutsOf({ tx }: ParsedTransaction): readonly Uint8Array[] {
  const fromBase = tx.rct?.type === 1 || tx.rct?.type === 2;
  return (fromBase ? tx.rct?.pseudoOuts : tx.prunable?.pseudoOuts) ?? [];
}

/**
 * Returns the statement that the inputs equal the outputs plus the fee. Undefined for type 1, whose ring
 * signature covers the difference and proves it together with the signer.
 *
 * Source: verRctSemanticsSimple in src/ringct/rctSigs.cpp.
 *
 * @param p version 2, not pruned, with the right counts of proofs
 */
export function balanceOf(p: ParsedTransaction): BalanceStatement | undefined {
  const { rct } = p.tx;
  if (rct === undefined || rct.type === 1) return undefined;
  return { inputs: pseudoOutsOf(p), outputs: rct.outPk, fee: rct.fee };
}

/**
 * Returns the proofs that no output is negative: one per output for types 1 and 2, one for all outputs
 * for later types.
 *
 * Source: verRct and verRctSemanticsSimple in src/ringct/rctSigs.cpp.
 *
 * @param p version 2, not pruned, with the right counts of proofs
 */
export function rangeProofsOf({ tx }: ParsedTransaction): RangeProofs {
  const { rangeSigs, bulletproofs, bulletproofsPlus } = tx.prunable ?? NO_PROOFS;
  const commitments = tx.rct?.outPk ?? [];
  const type = tx.rct?.type ?? 0;
  if (type <= 2) {
    const proofs = rangeSigs.map((proof, i) => ({
      commitment: commitments[i] ?? new Uint8Array(),
      ...proof,
    }));
    return { kind: 'borromean', proofs };
  }
  if (type >= 6) {
    const proofs = bulletproofsPlus.map((proof) => ({ commitments, ...proof }));
    return { kind: 'bulletproof-plus', proofs };
  }
  return { kind: 'bulletproof', proofs: bulletproofs.map((proof) => ({ commitments, ...proof })) };
}

/**
 * Returns the message that the ring signatures of a RingCT transaction sign, or its FCMP++ proof, 32 bytes.
 *
 * Throws 'bad-ring-signature' through `fail` when the transaction is pruned.
 *
 * Source: get_pre_mlsag_hash in src/ringct/rctSigs.cpp.
 */
export function messageOf(p: ParsedTransaction, fail: Fail): Uint8Array {
  if (p.tx.prunable === undefined) fail('bad-ring-signature', 'signatures are pruned');
  return rctSignatureMessage(p);
}
