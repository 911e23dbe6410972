import { mulAddUnsafe, pippenger } from '@noble/curves/abstract/curve.js';
import {
  BulletproofGenerators,
  createH,
  encodeScalar,
  Fn,
  G,
  hashToScalar,
  INV_EIGHT,
  Point,
  type TestRandom,
} from '@monero-node/crypto/testing';
import type { Bulletproof } from '@monero-node/codec';

type Vector = bigint[];

const BITS = 64;
const H = createH();
const generators = new BulletproofGenerators('bulletproof');

const at = <T>(list: readonly T[], index: number): T => list[index] as T;
const dot = (a: Vector, b: Vector): bigint =>
  a.reduce((sum, value, i) => Fn.add(sum, Fn.mul(value, at(b, i))), 0n);

function powers(base: bigint, count: number): Vector {
  const result = [1n];
  for (let i = 1; i < count; i++) result.push(Fn.mul(at(result, i - 1), base));
  return result;
}

/** Returns a sum divided by 8, the form in which proofs publish points. */
function publish(points: readonly Point[], scalars: readonly bigint[]): Uint8Array {
  return pippenger(
    Point,
    [...points],
    scalars.map((scalar) => Fn.mul(Fn.create(scalar), INV_EIGHT)),
  ).toBytes();
}

/** The transcript hash from which challenges are derived. */
function createTranscript(V: readonly Uint8Array[]): (...parts: Uint8Array[]) => bigint {
  let state = hashToScalar(...V);
  return (...parts) => (state = hashToScalar(encodeScalar(state), ...parts));
}

/** Makes the inner-product argument: halves both vectors until each has one element. */
function proveInnerProduct(
  start: { l: Vector; r: Vector; g: readonly Point[]; h: readonly Point[] },
  xip: bigint,
  append: (...parts: Uint8Array[]) => bigint,
) {
  let { l, r, g, h } = start;
  const [L, R]: [Uint8Array[], Uint8Array[]] = [[], []];
  while (l.length > 1) {
    const n = l.length / 2;
    const [l1, l2, r1, r2] = [l.slice(0, n), l.slice(n), r.slice(0, n), r.slice(n)];
    const [g1, g2, h1, h2] = [g.slice(0, n), g.slice(n), h.slice(0, n), h.slice(n)];
    const left = publish([...g2, ...h1, H], [...l1, ...r2, Fn.mul(dot(l1, r2), xip)]);
    const right = publish([...g1, ...h2, H], [...l2, ...r1, Fn.mul(dot(l2, r1), xip)]);
    L.push(left);
    R.push(right);
    const w = append(left, right);
    const wi = Fn.inv(w);
    const fold = (a: Vector, x: bigint, b: Vector, y: bigint) =>
      a.map((value, i) => Fn.add(Fn.mul(value, x), Fn.mul(at(b, i), y)));
    g = g1.map((point, i) => mulAddUnsafe(Point, [point, at(g2, i)], [wi, w]));
    h = h1.map((point, i) => mulAddUnsafe(Point, [point, at(h2, i)], [w, wi]));
    l = fold(l1, w, l2, wi);
    r = fold(r1, wi, r2, w);
  }
  return { L, R, a: encodeScalar(at(l, 0)), b: encodeScalar(at(r, 0)) };
}

/**
 * Proves that amounts fit in 64 bits, as RingCT types 3 to 5 do (Bünz et al., "Bulletproofs", with
 * Monero's transcript: src/ringct/bulletproofs.cc).
 */
export function proveBulletproof(
  openings: readonly { amount: bigint; mask: bigint }[],
  random: TestRandom,
): Bulletproof {
  const length = 2 ** Math.ceil(Math.log2(openings.length)) * BITS;
  const { g, h } = generators.take(length);
  const append = createTranscript(
    openings.map(({ amount, mask }) => publish([G, H], [mask, Fn.create(amount)])),
  );
  const aL = Array.from({ length }, (_, i) => {
    const amount = openings[Math.floor(i / BITS)]?.amount ?? 0n;
    return (amount >> BigInt(i % BITS)) & 1n;
  });
  const aR = aL.map((bit) => Fn.sub(bit, 1n));
  const sL = aL.map(() => random.scalar());
  const sR = aL.map(() => random.scalar());
  const [alpha, rho, tau1, tau2] = [0, 0, 0, 0].map(() => random.scalar()) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const A = publish([...g, ...h, G], [...aL, ...aR, alpha]);
  const S = publish([...g, ...h, G], [...sL, ...sR, rho]);
  const y = append(A, S);
  const z = append();
  const yPowers = powers(y, length);
  const zPowers = powers(z, length / BITS + 3);
  const l0 = aL.map((bit) => Fn.sub(bit, z));
  const r0 = aR.map((value, i) => {
    const bit = Fn.mul(at(zPowers, 2 + Math.floor(i / BITS)), 2n ** BigInt(i % BITS));
    return Fn.add(Fn.mul(Fn.add(value, z), at(yPowers, i)), bit);
  });
  const r1 = sR.map((value, i) => Fn.mul(value, at(yPowers, i)));
  const T1 = publish([H, G], [Fn.add(dot(l0, r1), dot(sL, r0)), tau1]);
  const T2 = publish([H, G], [dot(sL, r1), tau2]);
  const x = append(encodeScalar(z), T1, T2);
  const masks = openings.reduce(
    (sum, { mask }, j) => Fn.add(sum, Fn.mul(at(zPowers, 2 + j), mask)),
    0n,
  );
  const taux = Fn.add(Fn.add(Fn.mul(tau1, x), Fn.mul(tau2, Fn.sqr(x))), masks);
  const mu = Fn.add(Fn.mul(x, rho), alpha);
  const l = l0.map((value, i) => Fn.add(value, Fn.mul(at(sL, i), x)));
  const r = r0.map((value, i) => Fn.add(value, Fn.mul(at(r1, i), x)));
  const t = dot(l, r);
  const scalars = { taux: encodeScalar(taux), mu: encodeScalar(mu), t: encodeScalar(t) };
  const xip = append(encodeScalar(x), scalars.taux, scalars.mu, scalars.t);
  const yInverse = powers(Fn.inv(y), length);
  const scaled = h.map((point, i) => point.multiplyUnsafe(at(yInverse, i)));
  return { A, S, T1, T2, ...scalars, ...proveInnerProduct({ l, r, g, h: scaled }, xip, append) };
}
