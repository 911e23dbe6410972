import type { ParsedTransaction, TxInput } from '@monero-node/codec';
import {
  type ClsagToPack,
  type MlsagProof,
  type PackableCheck,
  type RingBytes,
  ringPoints,
  type RingPoint,
  type RingSignatureProof,
} from '@monero-node/crypto';
import type { Fail } from '../errors/fail.ts';
import { messageOf, pseudoOutsOf } from '../transaction/proofs.ts';

/**
 * The ring signatures of one transaction, all of one kind, as a check for the crypto package; for RingCT type 7 the one proof that is in
 * their place.
 */
export type RingSignatures = Extract<
  PackableCheck,
  { kind: 'ring-signature' | 'mlsag' | 'clsag' | 'fcmp-plus-plus' }
>;

/** For transactions whose signatures need no check. */
export const NO_RING_SIGNATURES: RingSignatures = { kind: 'clsag', proofs: [] };

/**
 * Returns the ring signatures of a transaction, ready to be verified.
 *
 * Throws through `fail`: 'bad-ring-signature' when the counts rule it out, 'rct-type' for type 0.
 *
 * Source: Blockchain::check_tx_inputs and expand_transaction_2 in src/cryptonote_core/blockchain.cpp.
 *
 * @param rings of all inputs, in order; their members in the order of their indices. Those of version 1 need no commitments
 */
export function ringSignaturesOf(
  p: ParsedTransaction,
  rings: readonly RingBytes[],
  fail: Fail,
): RingSignatures {
  if (p.tx.version === 1)
    return { kind: 'ring-signature', proofs: plainSignatures(p, rings, fail) };
  switch (p.tx.rct?.type ?? 0) {
    case 0:
      return fail('rct-type', 'type 0 is for miners');
    case 1:
      return { kind: 'mlsag', proofs: [fullMlsag(p, rings, fail)] };
    case 2:
    case 3:
    case 4:
      return { kind: 'mlsag', proofs: simpleMlsags(p, rings, fail) };
    default:
      return { kind: 'clsag', proofs: clsags(p, rings, fail) };
  }
}

/** Version 1: one signature per input, over the keys alone. */
function plainSignatures(
  p: ParsedTransaction,
  rings: readonly RingBytes[],
  fail: Fail,
): RingSignatureProof[] {
  return rings.map((ring, i) => {
    const signatures = p.tx.signatures?.[i];
    if (signatures?.length !== ring.size) return fail('bad-ring-signature', `input ${i}`);
    const keyImage = keyImageAt(p, i, fail);
    return {
      message: p.prefixHash,
      keyImage,
      ring: ringPoints(ring).map(({ key }) => key),
      signatures,
    };
  });
}

/** Type 1: one signature for all inputs and the balance; column i holds member i of every ring. */
function fullMlsag(p: ParsedTransaction, rings: readonly RingBytes[], fail: Fail): MlsagProof {
  const message = messageOf(p, fail);
  const mlsag = p.tx.prunable?.mlsags[0];
  const size = rings[0]?.size ?? 0;
  if (mlsag === undefined || rings.some((ring) => ring.size !== size)) {
    return fail('bad-ring-signature', 'rings of different sizes');
  }
  const members = rings.map(ringPoints);
  const columns = Array.from({ length: size }, (_, at) =>
    members.map((ring) => ring[at] as RingPoint),
  );
  const { ss, cc } = mlsag;
  checkRows(ss, size, rings.length, fail);
  const keyImages = rings.map((_, i) => keyImageAt(p, i, fail));
  const { outPk: offsets = [], fee = 0n } = p.tx.rct ?? {};
  return { message, ring: columns, keyImages, offsets, fee, ss, cc };
}

/** Types 2 to 4: one signature per input. */
function simpleMlsags(p: ParsedTransaction, rings: readonly RingBytes[], fail: Fail): MlsagProof[] {
  const message = messageOf(p, fail);
  const pseudoOuts = pseudoOutsOf(p);
  return rings.map((ring, i) => {
    const mlsag = p.tx.prunable?.mlsags[i];
    const pseudoOut = pseudoOuts[i];
    if (mlsag === undefined || pseudoOut === undefined) {
      return fail('bad-ring-signature', `input ${i} has none`);
    }
    const { ss, cc } = mlsag;
    checkRows(ss, ring.size, 1, fail);
    const keyImages = [keyImageAt(p, i, fail)];
    const columns = ringPoints(ring).map((member) => [member]);
    return { message, ring: columns, keyImages, offsets: [pseudoOut], fee: 0n, ss, cc };
  });
}

/** Types 5 and 6: one signature per input. */
function clsags(p: ParsedTransaction, rings: readonly RingBytes[], fail: Fail): ClsagToPack[] {
  const message = messageOf(p, fail);
  const pseudoOuts = pseudoOutsOf(p);
  return rings.map((ring, i) => {
    const clsag = p.tx.prunable?.clsags[i];
    const pseudoOut = pseudoOuts[i];
    if (clsag === undefined || pseudoOut === undefined || clsag.s.length !== ring.size) {
      return fail('bad-ring-signature', `input ${i} has a ring of ${ring.size}`);
    }
    const { s, c1, D } = clsag;
    return { message, ring, pseudoOut, keyImage: keyImageAt(p, i, fail), s, c1, D };
  });
}

/** Checks that an MLSAG has one row per ring member, each with one scalar per input and one more. */
function checkRows(
  ss: readonly (readonly Uint8Array[])[],
  ringSize: number,
  inputs: number,
  fail: Fail,
): void {
  if (ss.length === ringSize && ss.every((row) => row.length === inputs + 1)) return;
  fail('bad-ring-signature', `not made for a ring of ${ringSize}`);
}

function keyImageAt({ tx }: ParsedTransaction, position: number, fail: Fail): Uint8Array {
  const input: TxInput | undefined = tx.inputs[position];
  return input?.kind === 'key' ? input.keyImage : fail('input-type');
}
