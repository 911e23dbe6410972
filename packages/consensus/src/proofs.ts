import { rctSignatureMessage } from '@monero-node/codec';
import type { ParsedTransaction, RctPrunable, TxInput } from '@monero-node/codec';
import type { BalanceStatement, BulletproofPlusProof, ClsagProof } from '@monero-node/crypto';
import type { ConsensusErrorCode } from './error-table.ts';

type Fail = (code: ConsensusErrorCode, detail?: string) => never;

/** A spent output as a ring signature sees it. */
export interface RingPoint {
  key: Uint8Array;
  commitment: Uint8Array;
}

const NO_PROOFS: RctPrunable = {
  rangeSigs: [],
  bulletproofs: [],
  bulletproofsPlus: [],
  mlsags: [],
  clsags: [],
  pseudoOuts: [],
};

/** Which lists of proofs a RingCT type carries. */
const LAYOUTS = {
  1: { rangeProofs: 'rangeSigs', signatures: 'mlsags' },
  2: { rangeProofs: 'rangeSigs', signatures: 'mlsags' },
  3: { rangeProofs: 'bulletproofs', signatures: 'mlsags' },
  4: { rangeProofs: 'bulletproofs', signatures: 'mlsags' },
  5: { rangeProofs: 'bulletproofs', signatures: 'clsags' },
  6: { rangeProofs: 'bulletproofsPlus', signatures: 'clsags' },
} as const;

/**
 * Counts of proofs against counts of inputs and outputs (ver_mixed_rct_semantics and
 * verRctSemanticsSimple). Decoding already forces most of it; transactions that were never bytes
 * are held to it here.
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
  expect('ring signatures', prunable[layout.signatures].length, rct.type === 1 ? 1 : inputs.length);
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

/** An aggregated proof covers 1 to 16 outputs, padded to the next power of two and no further. */
function isSmallestPadding(left: number, right: number, outputs: number): boolean {
  const padded = 2 ** (left - 6);
  return left === right && left >= 6 && left <= 10 && padded >= outputs && padded < 2 * outputs;
}

/** Commitments to the amounts that the inputs bring; for type 1 there are none. */
export function pseudoOutsOf({ tx }: ParsedTransaction): readonly Uint8Array[] {
  const fromBase = tx.rct?.type === 1 || tx.rct?.type === 2;
  return (fromBase ? tx.rct?.pseudoOuts : tx.prunable?.pseudoOuts) ?? [];
}

/** What inputs bring is what outputs and fee take. Types 2 to 6. */
export function balanceOf(p: ParsedTransaction): BalanceStatement {
  return {
    inputs: pseudoOutsOf(p),
    outputs: p.tx.rct?.outPk ?? [],
    fee: p.tx.rct?.fee ?? 0n,
  };
}

/** The range proof of a type 6 transaction; undefined for the others, whose proofs differ. */
export function rangeProofOf({ tx }: ParsedTransaction): BulletproofPlusProof | undefined {
  const proof = tx.prunable?.bulletproofsPlus[0];
  if (tx.rct?.type !== 6 || proof === undefined) return undefined;
  return { commitments: tx.rct.outPk, ...proof };
}

/**
 * The ring signatures of a transaction, ready to verify.
 *
 * @param rings of all inputs, in order
 * @throws (through `fail`) 'bad-ring-signature' where counts rule it out, 'unsupported-proof' for
 *   kinds of signatures other than CLSAG
 */
export function ringSignaturesOf(
  p: ParsedTransaction,
  rings: readonly (readonly RingPoint[])[],
  fail: Fail,
): ClsagProof[] {
  const { version, signatures, rct, prunable } = p.tx;
  if (version === 1) {
    rings.forEach((ring, i) => {
      if (signatures?.[i]?.length !== ring.length) fail('bad-ring-signature', `input ${i}`);
    });
    return fail('unsupported-proof', 'ring signatures of version 1');
  }
  if (rct?.type !== 5 && rct?.type !== 6) {
    return fail('unsupported-proof', `ring signatures of RingCT type ${rct?.type ?? 0}`);
  }
  if (prunable === undefined) return fail('bad-ring-signature', 'signatures are pruned');
  const message = rctSignatureMessage(p);
  const pseudoOuts = pseudoOutsOf(p);
  return rings.map((ring, i) => {
    const clsag = prunable.clsags[i];
    const pseudoOut = pseudoOuts[i];
    const keyImage = keyImageOf(p.tx.inputs[i]);
    if (
      clsag === undefined ||
      pseudoOut === undefined ||
      keyImage === undefined ||
      clsag.s.length !== ring.length
    ) {
      return fail('bad-ring-signature', `input ${i} has a ring of ${ring.length}`);
    }
    return { message, ring, pseudoOut, keyImage, ...clsag };
  });
}

function keyImageOf(input: TxInput | undefined): Uint8Array | undefined {
  return input?.kind === 'key' ? input.keyImage : undefined;
}
