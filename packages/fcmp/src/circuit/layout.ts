import { heliosSteps, isRootOnSelene, rows, seleneSteps } from '@monero-node/codec/fcmp-proof-size';
import { HELIOS_WIDTH, LEAF_ELEMENTS, LEAF_OUTPUTS, SELENE_WIDTH } from '../tree/hash.ts';
import type { Variable } from './circuit.ts';
import { type Claim, type PointVariables, Tape } from './tape.ts';

/** Bits of multiples on Ed25519. */
export const ED_BITS = 253;
/** Bits of multiples on Helios and Selene. */
export const CYCLE_BITS = 255;

/** A branch: the children of a node, and which commitment holds them. */
export interface Branch {
  readonly commitment: number;
  readonly children: readonly Variable[];
}

/** What an input proves of its output, in the paper's names: O = O~ + o·T and so on. */
export interface OutputClaims {
  readonly O: PointVariables;
  readonly I: PointVariables;
  readonly C: PointVariables;
  readonly o: Claim;
  readonly iU: Claim;
  /** The same digits as iU, for V instead of U. */
  readonly iV: Claim;
  readonly j: Claim;
  readonly c: Claim;
}

/** A layer above another: its branch, and the claim that unblinds the hash of the branch below. */
export interface Step {
  readonly branch: Branch;
  /** Of the branch below, whose commitment is its hash, blinded. */
  readonly below: Branch;
  readonly claim: Claim;
}

/** The variables of an input. */
export interface InputLayout {
  readonly leaves: Branch;
  readonly output: OutputClaims;
  readonly seleneSteps: readonly Step[];
  readonly heliosSteps: readonly Step[];
}

/** Where everything stands that the prover commits to. */
export interface Layout {
  readonly inputs: readonly InputLayout[];
  /** The branch of the root, which all inputs share. */
  readonly root: Branch;
  /** Vector commitments on each curve. */
  readonly commitments: { readonly selene: number; readonly helios: number };
}

function branch(tape: Tape, width: number): Branch {
  return { commitment: tape.commitments, children: tape.branch(width) };
}

function outputClaims(tape: Tape): OutputClaims {
  const pair = ([x, y]: readonly Variable[]): PointVariables => ({
    x: x as Variable,
    y: y as Variable,
  });
  const o = tape.claim(ED_BITS);
  const iU = tape.claim(ED_BITS);
  const { divisor } = tape.divisor(ED_BITS);
  const j = tape.claim(ED_BITS);
  const c = tape.claim(ED_BITS);
  // The slots that digits leave free carry the point of another claim.
  const iV = { digits: iU.digits, divisor, point: pair(j.padding) };
  return { O: pair(o.padding), I: pair(iU.padding), C: pair(c.padding), o, iU, iV, j, c };
}

/** Returns the branches of a path below the root, from the leaves up. */
function branchesOf(selene: Tape, helios: Tape, layers: number): Branch[] {
  return Array.from({ length: layers - 1 }, (_, k) => {
    if (k % 2 === 1) return branch(helios, HELIOS_WIDTH);
    return branch(selene, k === 0 ? LEAF_OUTPUTS * LEAF_ELEMENTS : SELENE_WIDTH);
  });
}

function rootOf(selene: Tape, helios: Tape, layers: number): Branch {
  if (!isRootOnSelene(layers)) return branch(helios, HELIOS_WIDTH);
  return branch(selene, layers === 1 ? LEAF_OUTPUTS * LEAF_ELEMENTS : SELENE_WIDTH);
}

// A layout of one input has about 0.3 MB. Nearly all transactions have few inputs, and a chain has one number of layers.
const MOST_KEPT = 8;
const MOST_KEPT_INPUTS = 8;
const kept = new Map<string, Layout>();

/**
 * Returns which slot of which commitment holds what. Order on both tapes: the branches of each input, the root, what the inputs
 * claim of their outputs, and what they claim of hashes. Source: monero-oxide, crypto/fcmps/src/lib.rs. Small ones are kept.
 */
export function layoutOf(inputs: number, layers: number): Layout {
  const name = `${inputs}, ${layers}`;
  const known = kept.get(name);
  if (known !== undefined) return known;
  const layout = makeLayout(inputs, layers);
  if (inputs > MOST_KEPT_INPUTS) return layout;
  if (kept.size === MOST_KEPT) kept.clear();
  kept.set(name, layout);
  return layout;
}

function makeLayout(inputs: number, layers: number): Layout {
  const n = rows(inputs, layers);
  const selene = new Tape(n.selene);
  const helios = new Tape(n.helios);
  const each = Array.from({ length: inputs });
  const paths = each.map(() => branchesOf(selene, helios, layers));
  const root = rootOf(selene, helios, layers);
  const outputs = each.map(() => outputClaims(selene));
  const claimsOn = (tape: Tape, count: number): Claim[][] =>
    each.map(() => Array.from({ length: count }, () => tape.claim(CYCLE_BITS)));
  const seleneClaims = claimsOn(selene, seleneSteps(layers));
  const heliosClaims = claimsOn(helios, heliosSteps(layers));

  const inputLayouts = paths.map((below, i): InputLayout => {
    const path = [...below, root];
    const step = (k: number, claim: Claim): Step => ({
      branch: path[k] as Branch,
      below: path[k - 1] as Branch,
      claim,
    });
    return {
      leaves: path[0] as Branch,
      output: outputs[i] as OutputClaims,
      seleneSteps: (seleneClaims[i] as Claim[]).map((claim, s) => step(2 * s + 2, claim)),
      heliosSteps: (heliosClaims[i] as Claim[]).map((claim, s) => step(2 * s + 1, claim)),
    };
  });
  return {
    inputs: inputLayouts,
    root,
    commitments: { selene: selene.commitments, helios: helios.commitments },
  };
}
