import { type Affine, WEI25519 } from '../curves/ed25519.ts';
import { p, squareRoot } from '../curves/fields.ts';
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
  type Weights,
} from './circuit.ts';
import {
  type ChallengePoints,
  type ClaimLine,
  claimLine,
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

/** Arithmetic of the circuits that a backend may bring; without it, that of the paper. */
export interface CircuitArithmetic {
  readonly squareRoot: typeof squareRoot;
  readonly claimLine: typeof claimLine;
}

const OF_THE_PAPER: CircuitArithmetic = { squareRoot, claimLine };

/** Draws what the circuits need; lines for hashes are drawn once, after what the first input needs for its output. */
export function drawCircuitChallenges(
  transcript: Transcript,
  { inputs: [first, ...others] }: Layout,
  arithmetic = OF_THE_PAPER,
): CircuitChallenges {
  const root: typeof squareRoot = (value, prime) => arithmetic.squareRoot(value, prime);
  const pointsOn = (curve: ShortWeierstrass): ChallengePoints =>
    drawChallengePoints(transcript, curve, root);
  const draw = (): CircuitChallenges['inputs'][number] => ({
    points: pointsOn(WEI25519),
    lambda: Array.from({ length: LEAF_ELEMENTS }, () => transcript.challenge(p)),
  });
  const { seleneSteps, heliosSteps } = first as InputLayout;
  const ofFirst = draw();
  const onHelios = seleneSteps.length > 0 ? pointsOn(HELIOS) : undefined;
  const onSelene = heliosSteps.length > 0 ? pointsOn(SELENE) : undefined;
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
export function seleneCircuit(
  statement: Statement,
  sink: ConstraintSink,
  arithmetic = OF_THE_PAPER,
): number {
  const { layout, tuples, challenges, commitments } = statement;
  const circuit = new Circuit(sink);
  const line = lineFor(
    challenges.onHelios,
    HELIOS_GENERATORS,
    generatorTables().helios,
    arithmetic,
  );
  for (const [i, input] of layout.inputs.entries()) {
    const { points, lambda } = challenges.inputs[i] as CircuitChallenges['inputs'][number];
    const claims = claimsOfOutput(points, arithmetic);
    firstLayer(circuit, input, tuples[i] as InputTuple, claims, lambda);
    for (const step of input.seleneSteps) addStep(circuit, step, commitments.helios, line);
  }
  return circuit.gates;
}

/** Hands the constraints on Helios (C2) to a sink, none with one layer, and returns how many gates they use. */
export function heliosCircuit(
  statement: Statement,
  sink: ConstraintSink,
  arithmetic = OF_THE_PAPER,
): number {
  const { layout, challenges, commitments } = statement;
  const circuit = new Circuit(sink);
  const line = lineFor(
    challenges.onSelene,
    SELENE_GENERATORS,
    generatorTables().selene,
    arithmetic,
  );
  for (const { heliosSteps } of layout.inputs) {
    for (const step of heliosSteps) addStep(circuit, step, commitments.selene, line);
  }
  return circuit.gates;
}

/** A line for the claims of an output, and the weights of digits for T, U, V and G. */
function claimsOfOutput(points: ChallengePoints, arithmetic: CircuitArithmetic): ClaimLine {
  const { T, U, V, G } = generatorTables();
  return arithmetic.claimLine(points, WEI25519, ED_BITS, [T, U, V, G]);
}

/** Demands that the public points of an input are those of an output, re-randomized, and that this output is one of the leaves. */
function firstLayer(
  circuit: Circuit,
  { leaves, output: { O, I, C, o, iU, iV, j, c } }: InputLayout,
  tuple: InputTuple,
  { challenge, digitWeights }: ClaimLine,
  lambda: readonly bigint[],
): void {
  const [weightsT, weightsU, weightsV, weightsG] = digitWeights as [
    Weights,
    Weights,
    Weights,
    Weights,
  ];
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
interface Line extends ClaimLine {
  readonly generators: Generators;
}

function lineFor(
  points: ChallengePoints | undefined,
  generators: Generators,
  multiples: readonly Affine[],
  arithmetic: CircuitArithmetic,
): Line | undefined {
  if (points === undefined) return undefined;
  const line = arithmetic.claimLine(points, generators.curve, CYCLE_BITS, [multiples]);
  return { generators, ...line };
}

/** Demands that the commitment of the branch below, unblinded, is a hash whose x is a child of the branch. */
function addStep(
  circuit: Circuit,
  { branch, below, claim }: Step,
  commitments: readonly CyclePoint[],
  line: Line | undefined,
): void {
  const { generators, challenge, digitWeights } = line as Line;
  const { curve, hashInit } = generators;
  const blinded = hashInit.add(commitments[below.commitment] as CyclePoint);
  if (blinded.is0()) throw new RefusedProof('the hash of a branch is the identity');
  const { left: x, right: y } = circuit.multiply();
  discreteLog(circuit, curve, claim, challenge, digitWeights[0] as Weights);
  onCurve(circuit, curve, { x, y });
  addPublic(circuit, blinded.toAffine(), claim.point, { x, y });
  memberOf(
    circuit,
    sumOf(x),
    branch.children.map((child) => sumOf(child)),
  );
}
