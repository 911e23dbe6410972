import { mod } from '@noble/curves/abstract/modular.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { randomWeight } from '../../bulletproof/equation.ts';
import {
  type Branch,
  CYCLE_BITS,
  ED_BITS,
  type InputLayout,
  type Layout,
  layoutOf,
} from '../../circuit/layout.ts';
import { doublings } from '../../circuit/discrete-log.ts';
import {
  drawCircuitChallenges,
  heliosCircuit,
  type InputTuple,
  seleneCircuit,
} from '../../circuit/membership-circuit.ts';
import type { Claim, Divisor, PointVariables } from '../../circuit/tape.ts';
import type { Variable } from '../../circuit/circuit.ts';
import { type Affine, type EdPoint, toWei25519, WEI25519 } from '../../curves/ed25519.ts';
import { elementBytes, l, p, q } from '../../curves/fields.ts';
import {
  edGenerators,
  type Generators,
  HELIOS_GENERATORS,
  SELENE_GENERATORS,
} from '../../curves/generators.ts';
import {
  type CyclePoint,
  decodePoint,
  encodePoint,
  type ShortWeierstrass,
} from '../../curves/helios-selene.ts';
import { contextOf } from '../../membership-proof.ts';
import { heliosSteps, isRootOnSelene, rows, seleneSteps } from '@monero-node/codec/fcmp-proof-size';
import { Transcript } from '../../transcript.ts';
import { nodeAsChild } from '../../tree/hash.ts';
import { leafOf } from '../../tree/leaf.ts';
import { treeOf } from '../../tree/root.ts';
import type { FcmpPlusPlus } from '../../verify.ts';
import { type CurveFunction, decompose, divisorOf } from './divisor.ts';
import { commit, proveBulletproof, ProofWriter } from './prove-bulletproof.ts';
import { newBlinds, type OwnedOutput, proveSpend, rerandomize, times } from './prove-spend.ts';
import { Witness } from './witness.ts';

// A prover for tests: slow, and its time depends on secrets.

/** The slots of the vector commitments on a curve, and the blinds of these. */
class Slots {
  readonly values: bigint[][];
  readonly blinds: bigint[];

  constructor(commitments: number, rows_: number, order: bigint) {
    this.values = Array.from({ length: commitments }, () => new Array<bigint>(rows_).fill(0n));
    this.blinds = Array.from({ length: commitments }, () => randomWeight(order));
  }

  put(variable: Variable, value: bigint): void {
    if (variable.side !== 'C') throw new Error('not a slot');
    (this.values[variable.commitment] as bigint[])[variable.slot] = value;
  }

  putAll(variables: readonly Variable[], values: readonly bigint[]): void {
    for (const [i, value] of values.entries()) this.put(variables[i] as Variable, value);
  }

  putPoint({ x, y }: PointVariables, point: Affine): void {
    this.put(x, point.x);
    this.put(y, point.y);
  }

  putDivisor(divisor: Divisor, { a, b }: CurveFunction): void {
    const bits = divisor.length;
    const ofB = Math.floor((bits + 2) / 2) - 1;
    const ofA = Math.floor((bits + 1) / 2);
    const coefficients = (from: readonly bigint[], first: number, end: number): bigint[] =>
      Array.from({ length: end - first }, (_, i) => from[first + i] ?? 0n);
    this.putAll(divisor, [
      ...coefficients(b, 0, ofB),
      ...coefficients(a, 2, ofA + 1),
      a[0] as bigint,
    ]);
  }
}

/** Something of which a multiple is claimed. */
interface Base {
  readonly curve: ShortWeierstrass;
  readonly order: bigint;
  readonly bits: number;
  readonly affine: Affine;
  readonly multiple: (scalar: bigint) => Affine;
}

const onEd = (point: EdPoint): Base => ({
  curve: WEI25519,
  order: l,
  bits: ED_BITS,
  affine: toWei25519(point),
  multiple: (scalar) => toWei25519(times(scalar, point)),
});
const onCycle = ({ curve, h }: Generators): Base => ({
  curve,
  order: curve.order,
  bits: CYCLE_BITS,
  affine: h.toAffine(),
  multiple: (scalar) => h.multiplyUnsafe(scalar).toAffine(),
});

/** Fills in a claim of scalar·base. */
function putClaim(
  slots: Slots,
  { digits, divisor, point }: Claim,
  base: Base,
  scalar: bigint,
): void {
  const reduced = mod(scalar, base.order);
  const values = decompose(reduced, base.order, base.bits);
  const result = base.multiple(reduced);
  const multiples = doublings(base.affine, base.curve, base.bits);
  const zeros = values.flatMap((digit, i) => new Array<Affine>(digit).fill(multiples[i] as Affine));
  const negated = { x: result.x, y: base.curve.field - result.y };
  slots.putAll(digits, values.map(BigInt));
  slots.putPoint(point, result);
  slots.putDivisor(divisor, divisorOf(base.curve, [negated, ...zeros]));
}

/** A tree over outputs that the test owns. */
export interface OwnTree {
  readonly outputs: readonly OwnedOutput[];
  /** For each layer, its chunks of scalars, and the hash of each. */
  readonly chunks: readonly (readonly (readonly bigint[])[])[];
  readonly hashes: readonly (readonly CyclePoint[])[];
}

/** Returns a tree over outputs, of as many layers as they need. */
export function ownTree(outputs: readonly OwnedOutput[], kind: 'legacy' | 'carrot'): OwnTree {
  const leaves = outputs.map(({ O, C }) => {
    return leafOf({ key: O.toBytes(), commitment: C.toBytes(), kind }) as NonNullable<
      ReturnType<typeof leafOf>
    >;
  });
  const layers = treeOf(leaves);
  const scalars = (bytes: readonly Uint8Array[]): bigint[] =>
    bytes.map((each) => bytesToNumberLE(each));
  const below = [
    scalars(leaves.flatMap(({ elements }) => elements)),
    ...layers.slice(0, -1).map((nodes) => scalars(nodes.map(nodeAsChild))),
  ];
  const width = (k: number): number => (k === 0 ? 228 : k % 2 === 1 ? 18 : 38);
  return {
    outputs,
    chunks: below.map((all, k) =>
      (layers[k] as Uint8Array[]).map((_, i) => all.slice(i * width(k), (i + 1) * width(k))),
    ),
    hashes: layers.map((nodes, k) => {
      const { curve } = k % 2 === 0 ? SELENE_GENERATORS : HELIOS_GENERATORS;
      return nodes.map((node) => decodePoint(curve, node));
    }),
  };
}

/** Returns which chunk of each layer an output is in. */
function pathOf(index: number, layers: number): number[] {
  const path = [Math.floor(index / 38)];
  for (let k = 1; k < layers; k++)
    path.push(Math.floor((path[k - 1] as number) / (k % 2 === 1 ? 18 : 38)));
  return path;
}

/** Both curves' slots. */
interface AllSlots {
  readonly selene: Slots;
  readonly helios: Slots;
}

/** Fills in an input's branches below the root, and what it claims of their hashes: the blind of each commitment, negated. */
function putPath(
  all: AllSlots,
  tree: OwnTree,
  { leaves, ...input }: InputLayout,
  path: readonly number[],
): void {
  const steps = path.slice(1).map((_, k) => {
    const of = k % 2 === 0 ? input.heliosSteps : input.seleneSteps;
    return of[Math.floor(k / 2)] as InputLayout['seleneSteps'][0];
  });
  for (const [k, { below, claim }] of steps.entries()) {
    const [own, other] = k % 2 === 0 ? [all.selene, all.helios] : [all.helios, all.selene];
    const branch: Branch = k === 0 ? leaves : below;
    own.putAll(
      branch.children,
      (tree.chunks[k] as readonly bigint[][])[path[k] as number] as bigint[],
    );
    const generators = k % 2 === 0 ? SELENE_GENERATORS : HELIOS_GENERATORS;
    putClaim(other, claim, onCycle(generators), -(own.blinds[branch.commitment] as bigint));
  }
}

/** Returns an FCMP++ proof that outputs of a tree, by their indices, are spent. */
export function prove(tree: OwnTree, spent: readonly number[], message: Uint8Array): FcmpPlusPlus {
  const layers = tree.hashes.length;
  const layout = layoutOf(spent.length, layers);
  const n = rows(spent.length, layers);
  const all: AllSlots = {
    selene: new Slots(layout.commitments.selene, n.selene, p),
    helios: new Slots(layout.commitments.helios, n.helios, q),
  };
  const { G, T, U, V } = edGenerators();
  const inputs = spent.map((index, at) => {
    const output = tree.outputs[index] as OwnedOutput;
    const input = layout.inputs[at] as InputLayout;
    const blinds = newBlinds();
    const shown = rerandomize(output, blinds);
    const { O, I, C, o, iU, iV, j, c } = input.output;
    putClaim(all.selene, o, onEd(T), -blinds.o);
    putClaim(all.selene, iU, onEd(U), -blinds.i);
    putClaim(all.selene, iV, onEd(V), -blinds.i);
    putClaim(all.selene, j, onEd(T), blinds.j);
    putClaim(all.selene, c, onEd(G), -blinds.c);
    all.selene.putPoint(O, toWei25519(output.O));
    all.selene.putPoint(I, toWei25519(output.I));
    all.selene.putPoint(C, toWei25519(output.C));
    putPath(all, tree, input, pathOf(index, layers));
    return { shown, spend: proveSpend(message, output, blinds, shown) };
  });
  const rootSlots = isRootOnSelene(layers) ? all.selene : all.helios;
  rootSlots.putAll(layout.root.children, tree.chunks.at(-1)?.[0] as bigint[]);
  const tuples = inputs.map(({ shown }): InputTuple => {
    const [O, I, R, C] = [shown.O, shown.I, shown.R, shown.C].map(toWei25519) as [
      Affine,
      Affine,
      Affine,
      Affine,
    ];
    return { O, I, R, C };
  });
  const root = encodePoint(tree.hashes.at(-1)?.[0] as CyclePoint);
  const membership = proveMembership(tree, spent, layout, all, { layers, root, tuples });
  const heads = inputs.map(({ shown: { O, I, R }, spend: { bytes } }) =>
    concatBytes(O.toBytes(), I.toBytes(), R.toBytes(), bytes),
  );
  return {
    message,
    layers,
    root,
    pseudoOuts: inputs.map(({ shown }) => shown.C.toBytes()),
    keyImages: inputs.map(({ spend }) => spend.keyImage),
    proof: concatBytes(...heads, membership),
  };
}

function proveMembership(
  tree: OwnTree,
  spent: readonly number[],
  layout: Layout,
  { selene, helios }: AllSlots,
  about: Parameters<typeof contextOf>[0],
): Uint8Array {
  const { layers, tuples } = about;
  const onSelene = isRootOnSelene(layers);
  const rootGenerators = onSelene ? SELENE_GENERATORS : HELIOS_GENERATORS;
  const { order } = rootGenerators.curve;
  const nonce = randomWeight(order);
  const R = encodePoint(rootGenerators.h.multiplyUnsafe(nonce));
  const writer = new ProofWriter(new Transcript(contextOf(about, R)));
  const commitAll = (generators: Generators, { values, blinds }: Slots): CyclePoint[] => {
    writer.transcript.count(values.length);
    const points = values.map((slots, i) => commit(generators, slots, blinds[i] as bigint));
    for (const point of points) writer.point(point);
    writer.transcript.count(0);
    return points;
  };
  const commitments = {
    selene: commitAll(SELENE_GENERATORS, selene),
    helios: commitAll(HELIOS_GENERATORS, helios),
  };
  const rootBlind = (onSelene ? selene : helios).blinds[layout.root.commitment] as bigint;
  const s = mod(nonce + writer.transcript.challenge(order) * rootBlind, order);

  const challenges = drawCircuitChallenges(writer.transcript, layout);
  const statement = { layout, tuples, challenges, commitments };
  const witnesses = {
    selene: new Witness(p, selene.values),
    helios: new Witness(q, helios.values),
  };
  presetHashes(tree, spent, witnesses);
  seleneCircuit(statement, witnesses.selene.sink);
  heliosCircuit(statement, witnesses.helios.sink);
  const n = rows(spent.length, layers);
  for (const [name, generators, slots] of [
    ['selene', SELENE_GENERATORS, selene],
    ['helios', HELIOS_GENERATORS, helios],
  ] as const) {
    const { values, blinds } = slots;
    proveBulletproof(writer, generators, {
      n: n[name],
      witness: witnesses[name],
      slots: values,
      blinds,
    });
  }
  return concatBytes(...writer.parts, R, elementBytes(s));
}

/** Sets the gates that no constraint tells: each step begins with one for the hash of the branch below. */
function presetHashes(
  tree: OwnTree,
  spent: readonly number[],
  { selene, helios }: { selene: Witness; helios: Witness },
): void {
  const layers = tree.hashes.length;
  for (const [i, index] of spent.entries()) {
    const path = pathOf(index, layers);
    for (let k = 1; k < layers; k++) {
      const { x, y } = (tree.hashes[k - 1]?.[path[k - 1] as number] as CyclePoint).toAffine();
      const step = Math.floor((k - 1) / 2);
      const witness = k % 2 === 1 ? helios : selene;
      const gate =
        k % 2 === 1
          ? 32 * (i * heliosSteps(layers) + step)
          : i * (97 + 52 * seleneSteps(layers)) + 97 + 52 * step;
      witness.aL[gate] = x;
      witness.aR[gate] = y;
    }
  }
}
