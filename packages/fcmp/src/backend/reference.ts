import { pippenger } from '@noble/curves/abstract/curve.js';
import { ConstraintWeights } from './weights.ts';
import { claimLine } from '../circuit/discrete-log.ts';
import { decodeEdPoint, EdPoint } from '../curves/ed25519.ts';
import { squareRoot } from '../curves/fields.ts';
import { decodePoint } from '../curves/helios-selene.ts';
import type { FcmpBackend } from './backend.ts';

/** The backend on @noble/curves, which runs everywhere and is the one to read. */
export const REFERENCE_BACKEND: FcmpBackend = {
  name: 'reference',
  decodePoint: (curve, bytes) => decodePoint(curve, bytes),
  decodeEdPoint,
  sum: (generators, { points, scalars, g, h, G, H }) =>
    pippenger(
      generators.curve.Point,
      [...points, generators.g, generators.h, ...generators.G(G.length), ...generators.H(H.length)],
      [...scalars, g, h, ...G, ...H],
    ),
  weigh: ({ order }, weighing, constrain) => {
    const weights = new ConstraintWeights(weighing, order);
    constrain(weights.sink);
    return weights;
  },
  squareRoot,
  claimLine,
  edSum: (points, scalars) => pippenger(EdPoint, [...points], [...scalars]),
};
