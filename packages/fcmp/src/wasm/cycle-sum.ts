import type { CycleTerms } from '../backend/backend.ts';
import { invert } from '../curves/fields.ts';
import type { Generators } from '../curves/generators.ts';
import type { CyclePoint } from '../curves/helios-selene.ts';
import type { FcmpModule } from './module.ts';

/** x, y and the scalar of a point. */
const TERM_ELEMENTS = 3;

/** The module has digits for no higher bit. */
const SCALAR_BITS = 255n;

/** Returns the sum of multiples of points and of the fixed generators of a curve. Throws RangeError for scalars of more than 255 bits. */
export function wasmCycleSum(
  module: FcmpModule,
  generators: Generators,
  { points, scalars, g, h, G, H }: CycleTerms,
): CyclePoint {
  const { field, Point } = generators.curve;
  const all = [
    ...[...points, generators.g, generators.h],
    ...[...generators.G(G.length), ...generators.H(H.length)],
  ];
  const factors = [...scalars, g, h, ...G, ...H];
  // The identity has no coordinates; zero times a point is nothing either.
  const terms = all.flatMap((point, i): [CyclePoint, bigint][] => {
    const factor = factors[i] as bigint;
    if (factor >> SCALAR_BITS !== 0n)
      throw new RangeError(`a scalar of more than ${SCALAR_BITS} bits`);
    return factor === 0n || point.is0() ? [] : [[point, factor]];
  });
  const words = module.begin(field, TERM_ELEMENTS * terms.length, terms.length);
  for (const [point, factor] of terms) {
    words.pushPoint(point.toAffine());
    words.push(factor);
  }
  const place = module.wasm.sum(terms.length);
  if (place === 0) return Point.ZERO;
  const element = (index: number): bigint => module.element(place, index);
  // The factor of Montgomery's form is in both parts of each fraction.
  return Point.fromAffine({
    x: (element(0) * invert(element(2), field)) % field,
    y: (element(1) * invert(element(3), field)) % field,
  });
}
