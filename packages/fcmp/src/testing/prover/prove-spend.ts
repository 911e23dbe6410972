import { mod } from '@noble/curves/abstract/modular.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { randomWeight } from '../../bulletproof/equation.ts';
import { EdPoint } from '../../curves/ed25519.ts';
import { elementBytes, l, reduceWide } from '../../curves/fields.ts';
import { edGenerators } from '../../curves/generators.ts';
import { biasedHashToPoint, unbiasedHashToPoint } from '../../curves/hash-to-point.ts';

/** An output that the test owns: O = x·G + y·T. */
export interface OwnedOutput {
  readonly x: bigint;
  readonly y: bigint;
  readonly O: EdPoint;
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

const random = (): bigint => randomWeight(l);

/** Returns the multiple of a point, also by zero and of any size. */
export const times = (scalar: bigint, point: EdPoint): EdPoint =>
  point.multiplyUnsafe(mod(scalar, l));

/** Returns a new output, of a key with two parts if it is one of Carrot. */
export function newOutput(kind: 'legacy' | 'carrot'): OwnedOutput {
  const { G, T } = edGenerators();
  const [x, y] = [random(), kind === 'legacy' ? 0n : random()];
  const O = times(x, G).add(times(y, T));
  const hash = kind === 'legacy' ? biasedHashToPoint : unbiasedHashToPoint;
  return { x, y, O, I: hash(O.toBytes()), C: times(random(), G) };
}

/** Returns random blinds. */
export const newBlinds = (): Blinds => ({ o: random(), i: random(), j: random(), c: random() });

/** Returns O + o·T, I + i·U, i·V + j·T and C + c·G. */
export function rerandomize({ O, I, C }: OwnedOutput, { o, i, j, c }: Blinds): Rerandomized {
  const { G, T, U, V } = edGenerators();
  return {
    O: O.add(times(o, T)),
    I: I.add(times(i, U)),
    R: times(i, V).add(times(j, T)),
    C: C.add(times(c, G)),
  };
}

/** Returns the 384 bytes of SA+L and the key image. */
export function proveSpend(
  message: Uint8Array,
  output: OwnedOutput,
  blinds: Blinds,
  shown: Rerandomized,
): { bytes: Uint8Array; keyImage: Uint8Array } {
  const { G, T, U, V } = edGenerators();
  const sum = (...terms: [bigint, EdPoint][]): EdPoint =>
    terms.reduce((total, [scalar, point]) => total.add(times(scalar, point)), EdPoint.ZERO);
  const { x } = output;
  const [y, i] = [output.y + blinds.o, blinds.i];
  const [alpha, beta, delta, mu, rY, rZ, rP, r] = Array.from({ length: 8 }, random) as [
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
  const keyImage = times(x, output.I).toBytes();
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
  return { bytes: concatBytes(...points, ...scalars), keyImage };
}
