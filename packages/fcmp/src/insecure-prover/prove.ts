import { mod } from '@noble/curves/abstract/modular.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { heliosSteps, isRootOnSelene, rows, seleneSteps } from '@monero-node/codec/fcmp-proof-size';
import type { FcmpBackend } from '../backend/backend.ts';
import { defaultFcmpBackend } from '../choose-backend.ts';
import { type InputLayout, type Layout, layoutOf } from '../circuit/layout.ts';
import {
  drawCircuitChallenges,
  heliosCircuit,
  type InputTuple,
  seleneCircuit,
} from '../circuit/membership-circuit.ts';
import { decodeEdPoint, toWei25519 } from '../curves/ed25519.ts';
import { elementBytes, p, q } from '../curves/fields.ts';
import {
  edGenerators,
  type Generators,
  HELIOS_GENERATORS,
  SELENE_GENERATORS,
} from '../curves/generators.ts';
import { type CyclePoint, decodePoint, encodePoint } from '../curves/helios-selene.ts';
import { contextOf } from '../membership-proof.ts';
import { Transcript } from '../transcript.ts';
import type { Leaf } from '../tree/leaf.ts';
import type { FcmpPlusPlus } from '../verify.ts';
import { commit, proveBulletproof, ProofWriter } from './prove-bulletproof.ts';
import {
  drawBlinds,
  type NumberSource,
  proveSpend,
  rerandomize,
  type SecretOutput,
  SYSTEM_NUMBERS,
} from './prove-spend.ts';
import { onCycle, onEd, Slots } from './slots.ts';
import type { TreePath } from './tree-path.ts';
import { Witness } from './witness.ts';

// The prover's side of `membership-proof.ts` and `spend-authorization.ts`: slow, and its time depends on secrets.

/** An output that is spent. */
export interface SpentLeaf {
  /** As the tree has it: three points, 32 bytes each. */
  readonly leaf: Pick<Leaf, 'O' | 'I' | 'C'>;
  /** The secrets of its key, x·G + y·T; y is 0 before Carrot. */
  readonly x: bigint;
  readonly y: bigint;
  readonly path: TreePath;
  /** By what the mask of the pseudo-out is larger than that of the commitment; random when absent. */
  readonly maskChange?: bigint | undefined;
  /** Whether the key image gets torsion, by a proof that is right but for that; false when absent. */
  readonly isImageTorsioned?: boolean | undefined;
}

/** With what a proof is made. */
export interface ProveOptions {
  /** The system's secure source by default. */
  readonly random?: NumberSource;
  /** Which computes sums; the fastest one that works here by default. */
  readonly backend?: FcmpBackend;
}

/** Both curves' slots. */
interface AllSlots {
  readonly selene: Slots;
  readonly helios: Slots;
}

/** What the parts of a membership proof share. */
interface Membership {
  readonly layers: number;
  readonly root: Uint8Array;
  readonly layout: Layout;
  readonly paths: readonly TreePath[];
  readonly slots: AllSlots;
  readonly random: NumberSource;
  readonly backend: FcmpBackend;
}

const numbers = (bytes: readonly Uint8Array[]): bigint[] =>
  bytes.map((each) => bytesToNumberLE(each));

/**
 * Returns a proof that leaves of one tree are spent, in the order in which they are given, with its key images and pseudo-outs. Its time depends on
 * the secrets: for coins without value only. Whether the secrets are those of the leaves is left to those who verify it.
 *
 * Throws RangeError for no leaves, and for paths of different trees; RefusedProof for a leaf or a node that is no point; Error for a leaf or a node that
 * is not in the branch above it.
 *
 * @param message what the spender signs, 32 bytes
 */
export function proveFcmpPlusPlus(
  message: Uint8Array,
  spent: readonly SpentLeaf[],
  { random = SYSTEM_NUMBERS, backend = defaultFcmpBackend() }: ProveOptions = {},
): FcmpPlusPlus {
  const paths = spent.map(({ path }) => path);
  const { layers, root } = treeOfPaths(paths);
  const layout = layoutOf(spent.length, layers);
  const n = rows(spent.length, layers);
  const slots: AllSlots = {
    selene: new Slots(layout.commitments.selene, n.selene, p, random),
    helios: new Slots(layout.commitments.helios, n.helios, q, random),
  };
  const membership = { layers, root, layout, paths, slots, random, backend };
  const inputs = spent.map((each, i) => {
    const input = layout.inputs[i] as InputLayout;
    putPath(membership, input, each.path);
    return proveInput(message, each, input, membership);
  });
  const rootSlots = isRootOnSelene(layers) ? slots.selene : slots.helios;
  rootSlots.putAll(layout.root.children, numbers(paths[0]?.branches.at(-1) ?? []));
  const tuples = inputs.map(({ shown: { O, I, R, C } }): InputTuple => {
    return { O: toWei25519(O), I: toWei25519(I), R: toWei25519(R), C: toWei25519(C) };
  });
  const heads = inputs.map(({ shown: { O, I, R }, spend: { bytes } }) =>
    concatBytes(O.toBytes(), I.toBytes(), R.toBytes(), bytes),
  );
  return {
    message,
    layers,
    root,
    pseudoOuts: inputs.map(({ shown }) => shown.C.toBytes()),
    keyImages: inputs.map(({ spend }) => spend.keyImage),
    proof: concatBytes(...heads, proveMembership(membership, tuples)),
  };
}

/** Returns the tree that all paths lead to the root of. */
function treeOfPaths(paths: readonly TreePath[]): { layers: number; root: Uint8Array } {
  const [first] = paths;
  const root = first?.nodes.at(-1);
  if (first === undefined || root === undefined) throw new RangeError('nothing is spent');
  const isSame = ({ nodes }: TreePath): boolean =>
    nodes.length === first.nodes.length && nodes.at(-1)?.join() === root.join();
  if (!paths.every(isSame)) throw new RangeError('paths of different trees');
  return { layers: first.nodes.length, root };
}

/** Re-randomizes an output, fills in what the circuit has to know of it, and proves that it may be spent. */
function proveInput(
  message: Uint8Array,
  { leaf, x, y, maskChange, isImageTorsioned }: SpentLeaf,
  { output: claims }: InputLayout,
  { slots: { selene }, random }: Membership,
) {
  const [O, I, C] = [decodeEdPoint(leaf.O), decodeEdPoint(leaf.I), decodeEdPoint(leaf.C)];
  const output: SecretOutput = { x, y, O, I, C };
  const blinds = drawBlinds(random, maskChange);
  const shown = rerandomize(output, blinds);
  const { G, T, U, V } = edGenerators();
  selene.putClaim(claims.o, onEd(T), -blinds.o);
  selene.putClaim(claims.iU, onEd(U), -blinds.i);
  selene.putClaim(claims.iV, onEd(V), -blinds.i);
  selene.putClaim(claims.j, onEd(T), blinds.j);
  selene.putClaim(claims.c, onEd(G), -blinds.c);
  selene.putPoint(claims.O, toWei25519(O));
  selene.putPoint(claims.I, toWei25519(I));
  selene.putPoint(claims.C, toWei25519(C));
  return { shown, spend: proveSpend(message, output, { blinds, shown, isImageTorsioned }, random) };
}

/** Fills in an input's branches below the root, and what it claims of their hashes: the blind of each commitment, negated. */
function putPath({ slots }: Membership, input: InputLayout, { branches }: TreePath): void {
  for (let k = 0; k + 1 < branches.length; k++) {
    const isOnSelene = k % 2 === 0;
    const steps = isOnSelene ? input.heliosSteps : input.seleneSteps;
    const { below, claim } = steps[Math.floor(k / 2)] as InputLayout['seleneSteps'][0];
    const [own, other] = isOnSelene ? [slots.selene, slots.helios] : [slots.helios, slots.selene];
    own.putAll(below.children, numbers(branches[k] as readonly Uint8Array[]));
    const generators = isOnSelene ? SELENE_GENERATORS : HELIOS_GENERATORS;
    other.putClaim(claim, onCycle(generators), -(own.blinds[below.commitment] as bigint));
  }
}

/** Returns the bytes of the membership proof, where all slots are filled in. */
function proveMembership(membership: Membership, tuples: readonly InputTuple[]): Uint8Array {
  const { layers, root, layout, slots, random, backend } = membership;
  const isOnSelene = isRootOnSelene(layers);
  const { curve, h } = isOnSelene ? SELENE_GENERATORS : HELIOS_GENERATORS;
  const nonce = random(curve.order);
  const R = encodePoint(h.multiplyUnsafe(nonce));
  const transcript = new Transcript(contextOf({ layers, root, tuples }, R));
  const writer = new ProofWriter(transcript, backend, random);
  const commitAll = (generators: Generators, { values, blinds }: Slots): CyclePoint[] => {
    transcript.count(values.length);
    const points = values.map((G, i) => commit(backend, generators, { G, h: blinds[i] as bigint }));
    for (const point of points) writer.point(point);
    transcript.count(0);
    return points;
  };
  const commitments = {
    selene: commitAll(SELENE_GENERATORS, slots.selene),
    helios: commitAll(HELIOS_GENERATORS, slots.helios),
  };
  const rootBlind = (isOnSelene ? slots.selene : slots.helios).blinds[layout.root.commitment];
  const s = mod(nonce + transcript.challenge(curve.order) * (rootBlind as bigint), curve.order);

  const challenges = drawCircuitChallenges(transcript, layout);
  const statement = { layout, tuples, challenges, commitments };
  const witnesses = witnessesOf(membership);
  seleneCircuit(statement, witnesses.selene.sink);
  heliosCircuit(statement, witnesses.helios.sink);
  const n = rows(tuples.length, layers);
  for (const [name, generators] of [
    ['selene', SELENE_GENERATORS],
    ['helios', HELIOS_GENERATORS],
  ] as const) {
    const { values, blinds } = slots[name];
    const witness = witnesses[name];
    proveBulletproof(writer, generators, { n: n[name], witness, slots: values, blinds });
  }
  return concatBytes(...writer.parts, R, elementBytes(s));
}

/** Gates of an input, or of a step, on each curve: the numbers of `gates`. */
const [FIRST_LAYER_GATES, SELENE_STEP_GATES, HELIOS_STEP_GATES] = [97, 52, 32];

/** Returns witnesses that know what no constraint tells: each step begins with a gate for the hash of the branch below. */
function witnessesOf({ layers, paths, slots }: Membership): { selene: Witness; helios: Witness } {
  const selene = new Witness(p, slots.selene.values);
  const helios = new Witness(q, slots.helios.values);
  for (const [i, { nodes }] of paths.entries()) {
    for (let k = 1; k < layers; k++) {
      const step = Math.floor((k - 1) / 2);
      const [witness, curve, gate] =
        k % 2 === 1
          ? [helios, SELENE_GENERATORS.curve, HELIOS_STEP_GATES * (i * heliosSteps(layers) + step)]
          : [
              selene,
              HELIOS_GENERATORS.curve,
              i * (FIRST_LAYER_GATES + SELENE_STEP_GATES * seleneSteps(layers)) +
                FIRST_LAYER_GATES +
                SELENE_STEP_GATES * step,
            ];
      const { x, y } = decodePoint(curve, nodes[k - 1] as Uint8Array).toAffine();
      witness.aL[gate] = x;
      witness.aR[gate] = y;
    }
  }
  return { selene, helios };
}
