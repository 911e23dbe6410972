import type { ConstraintSink, Variable } from '../circuit/circuit.ts';

/** The constraints of a circuit as one: constraint k = 0, 1, … counts z^(k+1) times. Names are those of the paper. */
export class ConstraintWeights {
  /** Weights of the left sides of the n gates; the next two are those of right sides and outputs. Not reduced. */
  readonly wL: bigint[];
  readonly wR: bigint[];
  readonly wO: bigint[];
  /** Σ x^(1+j)·w_(C,j): the weights of all vector commitments, each at its power of x. */
  readonly wC: bigint[];
  /** Weights of commitments to one value. */
  readonly wV: bigint[];
  /** The sum of the constants. */
  kappa = 0n;
  readonly #z: bigint;
  readonly #xPowers: readonly bigint[];
  readonly #modulus: bigint;
  #zPower = 1n;

  /** `xPowers` are 1, x, x², …; there are `n` gates and `values` commitments to one value. */
  constructor({
    n,
    values,
    z,
    xPowers,
    modulus,
  }: {
    n: number;
    values: number;
    z: bigint;
    xPowers: readonly bigint[];
    modulus: bigint;
  }) {
    const zeros = (count: number): bigint[] => new Array<bigint>(count).fill(0n);
    [this.wL, this.wR, this.wO, this.wC] = [zeros(n), zeros(n), zeros(n), zeros(n)];
    this.wV = zeros(values);
    this.#z = z;
    this.#xPowers = xPowers;
    this.#modulus = modulus;
  }

  /** Takes the next constraint. */
  readonly sink: ConstraintSink = ({ terms, constant }) => {
    this.#zPower = (this.#zPower * this.#z) % this.#modulus;
    this.kappa += this.#zPower * constant;
    for (const [variable, weight] of terms) this.#add(variable, this.#zPower * weight);
  };

  #add(variable: Variable, weight: bigint): void {
    if (variable.side === 'C') {
      const { slot, commitment } = variable;
      const xPower = this.#xPowers[1 + commitment] as bigint;
      this.wC[slot] = (this.wC[slot] as bigint) + (weight % this.#modulus) * xPower;
    } else if (variable.side === 'V') {
      this.wV[variable.commitment] = (this.wV[variable.commitment] as bigint) + weight;
    } else {
      const weights = { aL: this.wL, aR: this.wR, aO: this.wO }[variable.side];
      weights[variable.gate] = (weights[variable.gate] as bigint) + weight;
    }
  }
}
