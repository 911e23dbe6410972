import { blake2b } from '@noble/hashes/blake2.js';
import type { FcmpBackend } from './backend/backend.ts';
import { type CurveEquation, randomWeight } from './bulletproof/equation.ts';
import {
  addGeneralizedBulletproof,
  type GeneralizedBulletproof,
  readGeneralizedBulletproof,
} from './bulletproof/generalized-bulletproof.ts';
import { layoutOf } from './circuit/layout.ts';
import {
  drawCircuitChallenges,
  heliosCircuit,
  type InputTuple,
  seleneCircuit,
  type Statement,
} from './circuit/membership-circuit.ts';
import { decodeElement, elementBytes } from './curves/fields.ts';
import { type CycleCurve, type CyclePoint, HELIOS, SELENE } from './curves/helios-selene.ts';
import {
  ELEMENT_BYTES,
  isRootOnSelene,
  ROOT_BLIND_BYTES,
  rows,
} from '@monero-node/codec/fcmp-proof-size';
import { RefusedProof } from './refused-proof.ts';
import { ProofReader } from './proof-reader.ts';

// Source: `verify` in monero-oxide, crypto/fcmps/src/lib.rs.

/** The curve of the root of a tree with so many layers. */
const rootCurve = (layers: number): CycleCurve => (isRootOnSelene(layers) ? SELENE : HELIOS);

/** The proof that the prover knows by what the commitment of the root's branch differs from the root: a Schnorr proof for h. */
interface RootBlind {
  readonly curve: CycleCurve;
  readonly R: CyclePoint;
  readonly s: bigint;
  readonly challenge: bigint;
  readonly root: CyclePoint;
  readonly rootCommitment: CyclePoint;
}

/** A proof that has been read, with all its challenges. */
export interface MembershipProof {
  readonly statement: Statement;
  readonly rootBlind: RootBlind;
  readonly selene: GeneralizedBulletproof;
  readonly helios: GeneralizedBulletproof;
}

/** What a proof is about. */
export interface MembershipStatement {
  readonly layers: number;
  /** 32 bytes, a point of the curve that the number of layers tells. */
  readonly root: Uint8Array;
  readonly tuples: readonly InputTuple[];
}

/** Returns the 32 bytes with which a transcript begins: BLAKE2b-256 of the root, the inputs and R of the proof for the root's blind. */
export function contextOf(
  { layers, root, tuples }: MembershipStatement,
  R: Uint8Array,
): Uint8Array {
  const hash = blake2b.create({ dkLen: ELEMENT_BYTES });
  hash.update(Uint8Array.of(isRootOnSelene(layers) ? 0 : 1)).update(root);
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, tuples.length, true);
  hash.update(count);
  for (const tuple of tuples) {
    for (const { x, y } of [tuple.O, tuple.I, tuple.R, tuple.C]) {
      hash.update(elementBytes(x)).update(elementBytes(y));
    }
  }
  return hash.update(R).digest();
}

/**
 * Reads the bytes of a membership proof, which have the right length, and draws all challenges. Throws `RefusedProof` for a malformed element. The
 * costly parts are left to `addMembershipProof`, so that a proof which is malformed anywhere costs no more than its decoding.
 */
export function readMembershipProof(
  about: MembershipStatement,
  bytes: Uint8Array,
  backend: FcmpBackend,
): MembershipProof {
  const { layers, tuples } = about;
  const body = bytes.subarray(0, -ROOT_BLIND_BYTES);
  const blindBytes = bytes.subarray(-ROOT_BLIND_BYTES);
  const curve = rootCurve(layers);
  const root = backend.decodePoint(curve, about.root);
  const s = decodeElement(blindBytes.subarray(ELEMENT_BYTES), curve.order);
  const RBytes = blindBytes.subarray(0, ELEMENT_BYTES);
  const R = backend.decodePoint(curve, RBytes);

  const layout = layoutOf(tuples.length, layers);
  const n = rows(tuples.length, layers);
  const reader = new ProofReader(contextOf(about, RBytes), body, backend);
  const onSelene = reader.commitments(SELENE, layout.commitments.selene);
  const onHelios = reader.commitments(HELIOS, layout.commitments.helios);
  const challenge = reader.transcript.challenge(curve.order);
  const challenges = drawCircuitChallenges(reader.transcript, layout, backend);
  const selene = readGeneralizedBulletproof(reader, SELENE, n.selene, onSelene);
  const helios = readGeneralizedBulletproof(reader, HELIOS, n.helios, onHelios);
  if (!reader.isAtEnd) throw new RefusedProof('bytes behind the proof');

  const commitments = { selene: onSelene.vectors, helios: onHelios.vectors };
  const ofRootCurve = curve === SELENE ? commitments.selene : commitments.helios;
  const rootCommitment = ofRootCurve[layout.root.commitment] as CyclePoint;
  return {
    statement: { layout, tuples, challenges, commitments },
    rootBlind: { curve, R, s, challenge, root, rootCommitment },
    selene,
    helios,
  };
}

/** The sums of a batch on both curves. */
export interface CycleEquations {
  readonly selene: CurveEquation;
  readonly helios: CurveEquation;
}

/** Adds the equations of a proof. Throws `RefusedProof` in the cases, of negligible probability, in which there are none. */
export function addMembershipProof(
  equations: CycleEquations,
  { statement, rootBlind, selene, helios }: MembershipProof,
): void {
  addRootBlind(rootBlind.curve === SELENE ? equations.selene : equations.helios, rootBlind);
  const { selene: onSelene, helios: onHelios } = equations;
  addGeneralizedBulletproof(onSelene, selene, (sink) =>
    seleneCircuit(statement, sink, onSelene.backend),
  );
  addGeneralizedBulletproof(onHelios, helios, (sink) =>
    heliosCircuit(statement, sink, onHelios.backend),
  );
}

/** Adds R + challenge·(init + C_root - root) = s·h. Only here does the root enter the sums. */
function addRootBlind(
  equation: CurveEquation,
  { curve, R, s, challenge, root, rootCommitment }: RootBlind,
): void {
  const weight = randomWeight(curve.order);
  const difference = equation.generators.hashInit.add(rootCommitment).subtract(root);
  equation.add(weight, R);
  equation.add(weight * challenge, difference);
  equation.addH(-weight * s);
}
