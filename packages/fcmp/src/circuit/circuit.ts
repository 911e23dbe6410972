/**
 * Something that the prover knows: the left, right or output side of a gate, a slot of a commitment to a vector, or the value
 * of a commitment to one. Named as in the paper.
 */
export type Variable =
  | { readonly side: 'aL' | 'aR' | 'aO'; readonly gate: number }
  | { readonly side: 'C'; readonly commitment: number; readonly slot: number }
  | { readonly side: 'V'; readonly commitment: number };

/** A variable and what it is multiplied by. */
export type Term = readonly [variable: Variable, weight: bigint];

/** Numbers from zero up to the modulus: an array, or memory of a backend, for which a number of its own is dear. */
export interface Weights {
  readonly length: number;
  at(index: number): bigint | undefined;
}

/** Many variables, and what each is multiplied by. Several products may have the same list of weights. */
export interface Product {
  readonly variables: readonly Variable[];
  readonly weights: Weights;
  /** Whether all weights count with the other sign. */
  readonly isNegated: boolean;
}

/** The sum of its terms and products and a constant. */
export interface Linear {
  readonly terms: readonly Term[];
  readonly products?: readonly Product[];
  readonly constant: bigint;
}

/** Returns all terms of a sum, also those of its products. */
export function termsOf({ terms, products = [] }: Linear): Term[] {
  const ofProducts = products.flatMap(({ variables, weights, isNegated }) =>
    variables.map((variable, i): Term => {
      const weight = weights.at(i) as bigint;
      return [variable, isNegated ? -weight : weight];
    }),
  );
  return [...terms, ...ofProducts];
}

/** Takes the constraints of a circuit in their order, on which weights depend: each must be zero. */
export type ConstraintSink = (constraint: Linear) => void;

/** The three sides of a gate, of which aL·aR = aO. */
export interface Gate {
  readonly left: Variable;
  readonly right: Variable;
  readonly output: Variable;
}

/** Returns a variable as a sum, plus a constant. */
export function sumOf(variable: Variable, constant = 0n): Linear {
  return { terms: [[variable, 1n]], constant };
}

/** Returns a - b. */
export function difference(a: Linear, b: Linear): Linear {
  const negated = b.terms.map(([variable, weight]): Term => [variable, -weight]);
  const terms = [...a.terms, ...negated];
  const constant = a.constant - b.constant;
  if (a.products === undefined && b.products === undefined) return { terms, constant };
  const opposite = (b.products ?? []).map(({ variables, weights, isNegated }): Product => {
    return { variables, weights, isNegated: !isNegated };
  });
  return { terms, products: [...(a.products ?? []), ...opposite], constant };
}

/**
 * Numbers gates, and hands constraints to a sink as soon as they are made: none is kept, as those of many inputs would fill
 * hundreds of megabytes. Order and sign of every constraint are part of consensus. Source: monero-oxide,
 * crypto/fcmps/circuit-abstraction/src/lib.rs.
 */
export class Circuit {
  #gates = 0;
  readonly #sink: ConstraintSink;

  constructor(sink: ConstraintSink) {
    this.#sink = sink;
  }

  /** Gates so far. */
  get gates(): number {
    return this.#gates;
  }

  /** Demands that a sum is zero. */
  zero(sum: Linear): void {
    this.#sink(sum);
  }

  /** Demands that two sums are equal. */
  equal(a: Linear, b: Linear): void {
    this.#sink(difference(a, b));
  }

  /** Returns the next gate, whose sides are what is given, and otherwise the prover's choice. */
  multiply(left?: Linear, right?: Linear): Gate {
    const gate = this.#gates++;
    const sides: Gate = {
      left: { side: 'aL', gate },
      right: { side: 'aR', gate },
      output: { side: 'aO', gate },
    };
    if (left !== undefined) this.equal(left, sumOf(sides.left));
    if (right !== undefined) this.equal(right, sumOf(sides.right));
    return sides;
  }
}
