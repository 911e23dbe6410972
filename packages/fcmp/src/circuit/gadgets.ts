import type { Affine } from '../curves/ed25519.ts';
import type { ShortWeierstrass } from '../curves/helios-selene.ts';
import {
  type Circuit,
  difference,
  type Linear,
  type Product,
  sumOf,
  type Term,
  type Variable,
  type Weights,
} from './circuit.ts';
import type { DiscreteLogChallenge } from './discrete-log.ts';
import type { Claim, PointVariables } from './tape.ts';

// The gadgets of the paper's sections "Gadgets" and "Circuit". The order of gates and constraints is that of monero-oxide,
// crypto/fcmps/circuit-abstraction/src/gadgets.rs, crypto/fcmps/ec-gadgets/src/ and crypto/fcmps/src/gadgets/.

/** Returns the inverse of a sum that is not zero. */
function inverse(circuit: Circuit, of: Linear): Variable {
  const { right, output } = circuit.multiply(of);
  circuit.zero(sumOf(output, -1n));
  return right;
}

/** Demands that a point is on a curve: y² = x³ + a·x + b. */
export function onCurve(
  circuit: Circuit,
  { a, b }: ShortWeierstrass,
  { x, y }: PointVariables,
): void {
  const x2 = circuit.multiply(sumOf(x), sumOf(x)).output;
  const x3 = circuit.multiply(sumOf(x2), sumOf(x)).output;
  const y2 = circuit.multiply(sumOf(y), sumOf(y)).output;
  const right: Term[] = [
    [x3, 1n],
    [x, a],
  ];
  circuit.equal(sumOf(y2), { terms: right, constant: b });
}

/**
 * Demands that Q + b = c, for a point Q that the verifier knows. It cannot be shown if the x of Q and b are equal. With the
 * slope m: m·(b.x - Q.x) = b.y - Q.y, m·(c.x - Q.x) = -c.y - Q.y, m² = Q.x + b.x + c.x.
 */
export function addPublic(circuit: Circuit, Q: Affine, b: PointVariables, c: PointVariables): void {
  inverse(circuit, sumOf(b.x, -Q.x));
  const { left: slope, output } = circuit.multiply(undefined, sumOf(b.x, -Q.x));
  circuit.equal(sumOf(output), sumOf(b.y, -Q.y));
  const third = circuit.multiply(sumOf(slope), sumOf(c.x, -Q.x)).output;
  circuit.equal(sumOf(third), { terms: [[c.y, -1n]], constant: -Q.y });
  const square = circuit.multiply(sumOf(slope), sumOf(slope)).output;
  const xs: Term[] = [
    [b.x, 1n],
    [c.x, 1n],
  ];
  circuit.equal(sumOf(square), { terms: xs, constant: Q.x });
}

/** Demands that a sum equals one of a list: the product of the differences is zero. */
export function memberOf(circuit: Circuit, member: Linear, list: readonly Linear[]): void {
  const [first, ...others] = list.map((element) => difference(element, member));
  let product = first as Linear;
  for (const other of others) product = sumOf(circuit.multiply(product, other).output);
  circuit.zero(product);
}

const weigh = (variables: readonly Variable[], weights: Weights): Product[] => [
  { variables, weights, isNegated: false },
];

/**
 * Demands that the point of a claim is the sum of its digits times the multiples of a generator: the divisor's logarithmic
 * derivative at the challenge equals that of the points, of which the claimed one counts with the other sign.
 */
export function discreteLog(
  circuit: Circuit,
  curve: ShortWeierstrass,
  { digits, divisor, point }: Claim,
  { slope, intercept, evaluations }: DiscreteLogChallenge,
  digitWeights: Weights,
): void {
  onCurve(circuit, curve, point);
  const quotients = evaluations.map(({ numerator, denominator }): Term => {
    const below = weigh(divisor, denominator.weights);
    const { right, output } = circuit.multiply({
      terms: [],
      products: below,
      constant: denominator.constant,
    });
    const above = weigh(divisor, numerator.weights);
    circuit.equal({ terms: [], products: above, constant: numerator.constant }, sumOf(output));
    return [right, 1n];
  });
  const atPoint: Term[] = [
    [point.y, 1n],
    [point.x, slope],
  ];
  const inversePoint = inverse(circuit, { terms: atPoint, constant: intercept });
  const points: Linear = {
    terms: [[inversePoint, 1n]],
    products: weigh(digits, digitWeights),
    constant: 0n,
  };
  circuit.equal({ terms: quotients, constant: 0n }, points);
}
