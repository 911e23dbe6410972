import type { ClaimLine, ChallengePoints, DivisorForm } from '../circuit/discrete-log.ts';
import type { Affine } from '../curves/ed25519.ts';
import type { ShortWeierstrass } from '../curves/helios-selene.ts';
import { RefusedProof } from '../refused-proof.ts';
import { type FcmpAddon, fieldNumber } from './addon.ts';
import { Words } from './words.ts';

// How native/claim_line.h has a line: slope and intercept, two forms for each of three points, weights of multiples.
const HEAD = 2;
const POINTS = 3;
const FORMS = 2;
const COORDINATES = 2;

/** Lists of multiples are few, and never change. */
const packed = new WeakMap<readonly Affine[], Words>();

function packedPoints(points: readonly Affine[]): Words {
  let words = packed.get(points);
  if (words === undefined) {
    words = new Words(COORDINATES * points.length);
    for (const point of points) words.pushPoint(point);
    packed.set(points, words);
  }
  return words;
}

/**
 * Returns what `claimLine` of src/circuit/discrete-log.ts returns. Weights stay in the memory to which the addon wrote them. Throws
 * RefusedProof when that function does.
 */
export function nativeClaimLine(
  addon: FcmpAddon,
  points: ChallengePoints,
  { a, field }: ShortWeierstrass,
  bits: number,
  multiples: readonly (readonly Affine[])[],
): ClaimLine {
  const curve = new Words(1);
  curve.push(a);
  const line = new Words(COORDINATES * points.length);
  for (const point of points) line.pushPoint(point);
  const count = multiples.reduce((sum, { length }) => sum + length, 0);
  const all = new Words(COORDINATES * count);
  for (const each of multiples) all.append(packedPoints(each));
  const form = 1 + bits;
  const out = new Words(HEAD + POINTS * FORMS * form + count);
  const number = fieldNumber(field);
  if (!addon.claimLine(number, curve.bytes, line.bytes, bits, all.bytes, out.bytes)) {
    throw new RefusedProof('a line at which claims cannot be checked');
  }
  const formAt = (index: number): DivisorForm => {
    const start = HEAD + index * form;
    return { constant: out.at(start), weights: out.part(start + 1, bits) };
  };
  const evaluations = Array.from({ length: POINTS }, (_, i) => ({
    numerator: formAt(FORMS * i),
    denominator: formAt(FORMS * i + 1),
  }));
  let at = HEAD + POINTS * FORMS * form;
  const digitWeights = multiples.map(({ length }) => {
    at += length;
    return out.part(at - length, length);
  });
  return { challenge: { slope: out.at(0), intercept: out.at(1), evaluations }, digitWeights };
}
