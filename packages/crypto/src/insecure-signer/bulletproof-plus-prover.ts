import { encodePoints, G, H_BYTES } from '../curve/point.ts';
import { encodeScalar, Fn, INV_EIGHT } from '../curve/scalar.ts';
import { BulletproofGenerators, RANGE_BITS } from '../proofs/bulletproof-generators.ts';
import { BulletproofPlusTranscript } from '../proofs/bulletproof-plus-transcript.ts';
import type { BulletproofPlusProof } from '../types.ts';
import { addTerms, type Term } from './add-terms.ts';
import type { ScalarSource } from './clsag-signer.ts';
import { commit } from './commitment.ts';

const G_BYTES = G.toBytes();
const GENERATORS = new BulletproofGenerators('bulletproof_plus');
type Vector = bigint[];

/** Encodings of the first pairs of generators, as many as any proof has needed. */
let encoded: { readonly g: readonly Uint8Array[]; readonly h: readonly Uint8Array[] } = {
  g: [],
  h: [],
};

function encodedGenerators(count: number): typeof encoded {
  if (encoded.g.length < count) {
    const { g, h } = GENERATORS.take(count);
    encoded = { g: encodePoints(g), h: encodePoints(h) };
  }
  return { g: encoded.g.slice(0, count), h: encoded.h.slice(0, count) };
}

function powers(base: bigint, count: number): Vector {
  const result = [1n];
  for (let i = 1; i < count; i++) result.push(Fn.mul(result[i - 1] as bigint, base));
  return result;
}

function at<T>(list: readonly T[], index: number): T {
  return list[index] as T;
}

/** Returns the sum over k of a_k·b_k·y^(k+1). */
function weightedProduct(a: Vector, b: Vector, y: bigint): bigint {
  let sum = 0n;
  let power = y;
  for (const [k, value] of a.entries()) {
    sum = Fn.add(sum, Fn.mul(Fn.mul(value, at(b, k)), power));
    power = Fn.mul(power, y);
  }
  return sum;
}

function combine(a: Vector, x: bigint, b: Vector, y: bigint): Vector {
  return a.map((value, k) => Fn.add(Fn.mul(value, x), Fn.mul(at(b, k), y)));
}

/** Returns the encoding of the sum divided by 8, as proofs publish their points. */
function publish(points: readonly Uint8Array[], scalars: readonly bigint[]): Uint8Array {
  const terms = points.map((point, k): Term => [Fn.mul(at(scalars, k), INV_EIGHT), point]);
  return at(addTerms([terms]), 0);
}

/** Returns x·a_k + y·b_k for each k. */
function combinePoints(
  a: readonly Uint8Array[],
  x: bigint,
  b: readonly Uint8Array[],
  y: bigint,
): Uint8Array[] {
  return addTerms(
    a.map((point, k) => [
      [x, point],
      [y, at(b, k)],
    ]),
  );
}

/** The vectors that each round of the inner-product argument halves. */
interface Folding {
  a: Vector;
  b: Vector;
  g: readonly Uint8Array[];
  h: readonly Uint8Array[];
  alpha: bigint;
}

/** An amount and the mask of its commitment. */
export interface Opening {
  /** Atomic units. */
  readonly amount: bigint;
  /** In [0, l). */
  readonly mask: bigint;
}

/** Changes of a proof while it is made, for proofs that a verifier must judge. */
export interface BulletproofPlusChanges {
  readonly A?: (point: Uint8Array) => Uint8Array;
  readonly commitment?: (point: Uint8Array) => Uint8Array;
  /** Outputs that the proof has room for: a power of 2; the smallest that fits when absent. */
  readonly paddedOutputs?: number;
}

interface Context {
  readonly y: bigint;
  readonly transcript: BulletproofPlusTranscript;
  readonly random: ScalarSource;
}

function foldOnce(state: Folding, context: Context): Folding & { L: Uint8Array; R: Uint8Array } {
  const half = state.a.length / 2;
  const [a1, a2] = [state.a.slice(0, half), state.a.slice(half)];
  const [b1, b2] = [state.b.slice(0, half), state.b.slice(half)];
  const [g1, g2] = [state.g.slice(0, half), state.g.slice(half)];
  const [h1, h2] = [state.h.slice(0, half), state.h.slice(half)];
  const yHalf = Fn.pow(context.y, BigInt(half));
  const yHalfInverse = Fn.inv(yHalf);
  const [dL, dR] = [context.random.scalar(), context.random.scalar()];

  const a1Scaled = a1.map((value) => Fn.mul(value, yHalfInverse));
  const a2Scaled = a2.map((value) => Fn.mul(value, yHalf));
  const cL = weightedProduct(a1, b2, context.y);
  const cR = weightedProduct(a2Scaled, b1, context.y);
  const L = publish([...g2, ...h1, H_BYTES, G_BYTES], [...a1Scaled, ...b2, cL, dL]);
  const R = publish([...g1, ...h2, H_BYTES, G_BYTES], [...a2Scaled, ...b1, cR, dR]);

  const x = context.transcript.append(L, R);
  const xInverse = Fn.inv(x);
  const gFactor = Fn.mul(yHalfInverse, x);
  const square = Fn.sqr(x);
  return {
    L,
    R,
    a: combine(a1, x, a2Scaled, xInverse),
    b: combine(b1, xInverse, b2, x),
    g: combinePoints(g1, xInverse, g2, gFactor),
    h: combinePoints(h1, x, h2, xInverse),
    alpha: Fn.add(state.alpha, Fn.add(Fn.mul(dL, square), Fn.mul(dR, Fn.inv(square)))),
  };
}

/** Does the last step: A1, B and the three scalars. */
function finish(state: Folding, { y, transcript, random }: Context) {
  const [a, b] = [at(state.a, 0), at(state.b, 0)];
  const [r, s, d, eta] = [random.scalar(), random.scalar(), random.scalar(), random.scalar()];
  const cross = Fn.mul(y, Fn.add(Fn.mul(r, b), Fn.mul(s, a)));
  const A1 = publish([at(state.g, 0), at(state.h, 0), G_BYTES, H_BYTES], [r, s, d, cross]);
  const B = publish([G_BYTES, H_BYTES], [eta, Fn.mul(Fn.mul(r, y), s)]);
  const e = transcript.append(A1, B);
  const d1 = Fn.add(Fn.add(eta, Fn.mul(d, e)), Fn.mul(state.alpha, Fn.sqr(e)));
  return {
    A1,
    B,
    r1: encodeScalar(Fn.add(r, Fn.mul(a, e))),
    s1: encodeScalar(Fn.add(s, Fn.mul(b, e))),
    d1: encodeScalar(d1),
  };
}

/**
 * Returns the proof that 1 to 16 amounts fit in 64 bits (Chung et al., "Bulletproofs+", with Monero's transcript), and their
 * commitments, 32 bytes each. The time depends on the amounts and masks: for coins without value only. The proof of an amount outside
 * that range does not hold, because bits above the 64th are left out. Source: bulletproof_plus_PROVE in
 * src/ringct/bulletproofs_plus.cc.
 */
export function proveBulletproofPlus(
  openings: readonly Opening[],
  random: ScalarSource,
  changes: BulletproofPlusChanges = {},
): BulletproofPlusProof {
  const padded = changes.paddedOutputs ?? 2 ** Math.ceil(Math.log2(openings.length));
  const length = padded * RANGE_BITS;
  const generators = encodedGenerators(length);
  const commitments = openings.map(({ mask, amount }) => {
    const commitment = commit(mask, Fn.create(amount));
    return changes.commitment?.(commitment) ?? commitment;
  });
  const V = addTerms(commitments.map((bytes) => [[INV_EIGHT, bytes]]));
  const transcript = new BulletproofPlusTranscript(V);

  const bits = Array.from({ length }, (_, i) => {
    const amount = openings[Math.floor(i / RANGE_BITS)]?.amount ?? 0n;
    return (amount >> BigInt(i % RANGE_BITS)) & 1n;
  });
  const bitsMinusOne = bits.map((bit) => Fn.sub(bit, 1n));
  let alpha = random.scalar();
  const vectors = [...generators.g, ...generators.h];
  const plainA = publish([...vectors, G_BYTES], [...bits, ...bitsMinusOne, alpha]);
  const A = changes.A?.(plainA) ?? plainA;

  const { y, z } = transcript.appendA(A);
  const yPowers = powers(y, length + 2);
  const zSquares = powers(Fn.sqr(z), Math.max(padded, openings.length) + 1);
  for (const [j, { mask }] of openings.entries()) {
    alpha = Fn.add(alpha, Fn.mul(Fn.mul(at(yPowers, length + 1), at(zSquares, j + 1)), mask));
  }
  const d = (i: number): bigint =>
    Fn.mul(at(zSquares, Math.floor(i / RANGE_BITS) + 1), 2n ** BigInt(i % RANGE_BITS));

  const context = { y, transcript, random };
  const L: Uint8Array[] = [];
  const R: Uint8Array[] = [];
  let state: Folding = {
    ...generators,
    a: bits.map((bit) => Fn.sub(bit, z)),
    b: bitsMinusOne.map((value, i) =>
      Fn.add(Fn.add(value, z), Fn.mul(d(i), at(yPowers, length - i))),
    ),
    alpha,
  };
  while (state.a.length > 1) {
    const next = foldOnce(state, context);
    L.push(next.L);
    R.push(next.R);
    state = next;
  }
  return { commitments, A, L, R, ...finish(state, context) };
}
