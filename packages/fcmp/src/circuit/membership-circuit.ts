import { type Affine, WEI25519 } from '../curves/ed25519.ts';
import { p } from '../curves/fields.ts';
import { type Generators, HELIOS_GENERATORS, SELENE_GENERATORS } from '../curves/generators.ts';
import { type CyclePoint, HELIOS, SELENE, type ShortWeierstrass } from '../curves/helios-selene.ts';
import { LEAF_ELEMENTS, LEAF_OUTPUTS } from '../tree/hash.ts';
import { RefusedProof } from '../refused-proof.ts';
import type { Transcript } from '../transcript.ts';
import {
  Circuit,
  type ConstraintSink,
  type Linear,
  sumOf,
  type Term,
  type Variable,
} from './circuit.ts';
import {
  type ChallengePoints,
  digitWeights,
  type DiscreteLogChallenge,
  discreteLogChallenge,
  drawChallengePoints,
} from './discrete-log.ts';
import { addPublic, discreteLog, memberOf, onCurve } from './gadgets.ts';
import { CYCLE_BITS, ED_BITS, type InputLayout, type Layout, type Step } from './layout.ts';
import { generatorTables } from './tables.ts';

// The statement of the membership proof: every input re-randomizes an output that is a leaf of the tree. Source:
// monero-oxide, crypto/fcmps/src/circuit.rs and crypto/fcmps/src/lib.rs.

/** What is public of an input, as points of Wei25519. */
export interface InputTuple {
  /** O~ = O - o·T. */
  readonly O: Affine;
  /** I~ = I - i·U. */
  readonly I: Affine;
  /** R = j·T - i·V. */
  readonly R: Affine;
  /** C~ = C - c·G, the pseudo-out. */
  readonly C: Affine;
}

/** What the transcript draws for the circuits. */
export interface CircuitChallenges {
  /** For each input: the line for its output, and what aggregates the elements of a leaf. */
  readonly inputs: readonly {
    readonly points: ChallengePoints;
    readonly lambda: readonly bigint[];
  }[];
  /** The line on Helios, for hashes that the circuit on Selene unblinds, of all inputs. */
  readonly onHelios: ChallengePoints | undefined;
  readonly onSelene: ChallengePoints | undefined;
}

/** Draws what the circuits need; lines for hashes are drawn once, after what the first input needs for its output. */
export function drawCircuitChallenges(
  transcript: Transcript,
  { inputs: [first, ...others] }: Layout,
): CircuitChallenges {
  const draw = (): CircuitChallenges['inputs'][number] => ({
    points: drawChallengePoints(transcript, WEI25519),
    lambda: Array.from({ length: LEAF_ELEMENTS }, () => transcript.challenge(p)),
  });
  const { seleneSteps, heliosSteps } = first as InputLayout;
  const ofFirst = draw();
  const onHelios = seleneSteps.length > 0 ? drawChallengePoints(transcript, HELIOS) : undefined;
  const onSelene = heliosSteps.length > 0 ? drawChallengePoints(transcript, SELENE) : undefined;
  return { inputs: [ofFirst, ...others.map(draw)], onHelios, onSelene };
}

/** Everything that the circuits depend on. */
export interface Statement {
  readonly layout: Layout;
  readonly tuples: readonly InputTuple[];
  readonly challenges: CircuitChallenges;
  /** Vector commitments on Selene and Helios; those of branches are blinded hashes. */
  readonly commitments: {
    readonly selene: readonly CyclePoint[];
    readonly helios: readonly CyclePoint[];
  };
}

/** Hands the constraints on Selene (C1) to a sink, and returns how many gates they use. */
export function seleneCircuit(statement: Statement, sink: ConstraintSink): number {
  const { layout, tuples, challenges, commitments } = statement;
  const circuit = new Circuit(sink);
  const line = lineFor(challenges.onHelios, HELIOS_GENERATORS, generatorTables().helios);
  for (const [i, input] of layout.inputs.entries()) {
    const { points, lambda } = challenges.inputs[i] as CircuitChallenges['inputs'][number];
    firstLayer(circuit, input, tuples[i] as InputTuple, points, lambda);
    for (const step of input.seleneSteps) addStep(circuit, step, commitments.helios, line);
  }
  return circuit.gates;
}

/** Hands the constraints on Helios (C2) to a sink, none with one layer, and returns how many gates they use. */
export function heliosCircuit(statement: Statement, sink: ConstraintSink): number {
  const { layout, challenges, commitments } = statement;
  const circuit = new Circuit(sink);
  const line = lineFor(challenges.onSelene, SELENE_GENERATORS, generatorTables().selene);
  for (const { heliosSteps } of layout.inputs) {
    for (const step of heliosSteps) addStep(circuit, step, commitments.selene, line);
  }
  return circuit.gates;
}

/** Demands that the public points of an input are those of an output, re-randomized, and that this output is one of the leaves. */
function firstLayer(
  circuit: Circuit,
  { leaves, output: { O, I, C, o, iU, iV, j, c } }: InputLayout,
  tuple: InputTuple,
  points: ChallengePoints,
  lambda: readonly bigint[],
): void {
  const challenge = discreteLogChallenge(points, WEI25519, ED_BITS);
  const tables = generatorTables();
  const [weightsG, weightsT, weightsU, weightsV] = [tables.G, tables.T, tables.U, tables.V].map(
    (table) => digitWeights(challenge, table, p),
  ) as [bigint[], bigint[], bigint[], bigint[]];
  onCurve(circuit, WEI25519, O);
  discreteLog(circuit, WEI25519, o, challenge, weightsT);
  addPublic(circuit, tuple.O, o.point, O);
  onCurve(circuit, WEI25519, I);
  discreteLog(circuit, WEI25519, iU, challenge, weightsU);
  addPublic(circuit, tuple.I, iU.point, I);
  discreteLog(circuit, WEI25519, iV, challenge, weightsV);
  discreteLog(circuit, WEI25519, j, challenge, weightsT);
  addPublic(circuit, tuple.R, iV.point, j.point);
  onCurve(circuit, WEI25519, C);
  discreteLog(circuit, WEI25519, c, challenge, weightsG);
  addPublic(circuit, tuple.C, c.point, C);
  const aggregate = (elements: readonly Variable[]): Linear => ({
    terms: elements.map((element, k): Term => [element, lambda[k] as bigint]),
    constant: 0n,
  });
  const list = Array.from({ length: LEAF_OUTPUTS }, (_, k) =>
    aggregate(leaves.children.slice(k * LEAF_ELEMENTS, (k + 1) * LEAF_ELEMENTS)),
  );
  memberOf(circuit, aggregate([O.x, O.y, I.x, I.y, C.x, C.y]), list);
}

/** A line on the curve of the hashes, and what depends on it. */
interface Line {
  readonly generators: Generators;
  readonly challenge: DiscreteLogChallenge;
  readonly digitWeights: readonly bigint[];
}

function lineFor(
  points: ChallengePoints | undefined,
  generators: Generators,
  multiples: readonly Affine[],
): Line | undefined {
  if (points === undefined) return undefined;
  const curve: ShortWeierstrass = generators.curve;
  const challenge = discreteLogChallenge(points, curve, CYCLE_BITS);
  return { generators, challenge, digitWeights: digitWeights(challenge, multiples, curve.field) };
}

/** Demands that the commitment of the branch below, unblinded, is a hash whose x is a child of the branch. */
function addStep(
  circuit: Circuit,
  { branch, below, claim }: Step,
  commitments: readonly CyclePoint[],
  line: Line | undefined,
): void {
  const { generators, challenge, digitWeights: weights } = line as Line;
  const { curve, hashInit } = generators;
  const blinded = hashInit.add(commitments[below.commitment] as CyclePoint);
  if (blinded.is0()) throw new RefusedProof('the hash of a branch is the identity');
  const { left: x, right: y } = circuit.multiply();
  discreteLog(circuit, curve, claim, challenge, weights);
  onCurve(circuit, curve, { x, y });
  addPublic(circuit, blinded.toAffine(), claim.point, { x, y });
  memberOf(
    circuit,
    sumOf(x),
    branch.children.map((child) => sumOf(child)),
  );
}
