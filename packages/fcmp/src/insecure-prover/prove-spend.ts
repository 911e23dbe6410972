import { mod } from '@noble/curves/abstract/modular.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { randomWeight } from '../bulletproof/equation.ts';
import { decodeEdPointWithTorsion, EdPoint } from '../curves/ed25519.ts';
import { elementBytes, l, p, reduceWide } from '../curves/fields.ts';
import { edGenerators } from '../curves/generators.ts';

/** Returns a number of [1, modulus). The same numbers in the same order make the same proof. */
export type NumberSource = (modulus: bigint) => bigint;

/** Numbers that nobody can foresee. */
export const SYSTEM_NUMBERS: NumberSource = randomWeight;

/** An output with its secrets: O = x·G + y·T, of which y is zero before Carrot. */
export interface SecretOutput {
  readonly x: bigint;
  readonly y: bigint;
  readonly O: EdPoint;
  /** The generator of its key image. */
  readonly I: EdPoint;
  readonly C: EdPoint;
}

/** Blinds with which an output is re-randomized. */
export interface Blinds {
  readonly o: bigint;
  readonly i: bigint;
  readonly j: bigint;
  readonly c: bigint;
}

/** What becomes public of an output. */
export interface Rerandomized {
  readonly O: EdPoint;
  readonly I: EdPoint;
  readonly R: EdPoint;
  readonly C: EdPoint;
}

/** Returns the multiple of a point by a number, which is reduced modulo l. */
export const multipleOf = (scalar: bigint, point: EdPoint): EdPoint =>
  point.multiplyUnsafe(mod(scalar, l));

/** Returns random blinds, scalars below l. That of C may be given. */
export const drawBlinds = (random: NumberSource, c = random(l)): Blinds => ({
  o: random(l),
  i: random(l),
  j: random(l),
  c,
});

/** Returns O + o·T, I + i·U, i·V + j·T and C + c·G. */
export function rerandomize({ O, I, C }: SecretOutput, { o, i, j, c }: Blinds): Rerandomized {
  const { G, T, U, V } = edGenerators();
  return {
    O: O.add(multipleOf(o, T)),
    I: I.add(multipleOf(i, U)),
    R: multipleOf(i, V).add(multipleOf(j, T)),
    C: C.add(multipleOf(c, G)),
  };
}

/** The point of order two. */
const ORDER_TWO = EdPoint.fromAffine({ x: 0n, y: p - 1n });

/** Returns the sum of a point, of 32 bytes, and the point of order two. Throws `RefusedProof` where there is no such point. */
export function withTorsion(point: Uint8Array): Uint8Array {
  return decodeEdPointWithTorsion(point).add(ORDER_TWO).toBytes();
}

/** How an output is shown, and whether its key image gets torsion. */
interface Shown {
  readonly blinds: Blinds;
  readonly shown: Rerandomized;
  readonly isImageTorsioned?: boolean | undefined;
}

/**
 * Returns the 384 bytes of SA+L and the key image. With torsion in it all equations hold all the same, as the challenge takes it away: a second
 * key image of the output for whoever does not look at its order.
 */
export function proveSpend(
  message: Uint8Array,
  output: SecretOutput,
  how: Shown,
  random: NumberSource,
): { bytes: Uint8Array; keyImage: Uint8Array } {
  for (;;) {
    const { e, ...proof } = tryToProve(message, output, how, random);
    if (how.isImageTorsioned !== true || e % 2n === 0n) return proof;
  }
}

function tryToProve(
  message: Uint8Array,
  output: SecretOutput,
  { blinds, shown, isImageTorsioned = false }: Shown,
  random: NumberSource,
) {
  const { G, T, U, V } = edGenerators();
  const sum = (...terms: [bigint, EdPoint][]): EdPoint =>
    terms.reduce((total, [scalar, point]) => total.add(multipleOf(scalar, point)), EdPoint.ZERO);
  const { x } = output;
  const [y, i] = [output.y + blinds.o, blinds.i];
  const [alpha, beta, delta, mu, rY, rZ, rP, r] = Array.from({ length: 8 }, () => random(l)) as [
    ...[bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint],
  ];
  const points = [
    sum([x, G], [i, V], [x * i, U], [rP, T]),
    sum([alpha, G], [beta, V], [alpha * i + beta * x, U], [delta, T]),
    sum([alpha * beta, U], [mu, T]),
    sum([alpha, G], [rY, T]),
    sum([rZ, U], [r, T]),
    sum([alpha, shown.I], [-rZ, U]),
  ].map((point) => point.toBytes());
  const image = multipleOf(x, output.I);
  const keyImage = (isImageTorsioned ? image.add(ORDER_TWO) : image).toBytes();
  const inputs = [shown.O, shown.I, shown.C, shown.R].map((point) => point.toBytes());
  const hash = blake2b(concatBytes(message, ...inputs, keyImage, ...points), { dkLen: 64 });
  const e = reduceWide(hash, l);
  const scalars = [
    alpha + e * x,
    beta + e * i,
    mu + e * delta + e * e * rP,
    rY + e * y,
    rZ + e * x * i,
    r + e * (rP - y - blinds.j),
  ].map((scalar) => elementBytes(mod(scalar, l)));
  return { bytes: concatBytes(...points, ...scalars), keyImage, e };
}
