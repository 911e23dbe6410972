import { type ConstraintSink, termsOf, type Variable } from '../circuit/circuit.ts';

/** What constraints are added up with. */
export interface Weighing {
  /** Gates, and slots of a commitment. */
  readonly n: number;
  /** Commitments to one value. */
  readonly values: number;
  readonly z: bigint;
  /** 1, x, x², … */
  readonly xPowers: readonly bigint[];
}

/** The constraints of a circuit as one: constraint k = 0, 1, … counts z^(k+1) times. Names are those of the paper. */
export interface WeighedConstraints {
  /** Weights of the left sides of the n gates; the next two are those of right sides and outputs. These and all others need not be reduced. */
  readonly wL: readonly bigint[];
  readonly wR: readonly bigint[];
  readonly wO: readonly bigint[];
  /** Σ x^(1+j)·w_(C,j): the weights of all vector commitments, each at its power of x. */
  readonly wC: readonly bigint[];
  /** Weights of commitments to one value. */
  readonly wV: readonly bigint[];
  /** The sum of the constants. */
  readonly kappa: bigint;
}

/** Adds up constraints one by one. */
export class ConstraintWeights implements WeighedConstraints {
  readonly wL: bigint[];
  readonly wR: bigint[];
  readonly wO: bigint[];
  readonly wC: bigint[];
  readonly wV: bigint[];
  kappa = 0n;
  readonly #z: bigint;
  readonly #xPowers: readonly bigint[];
  readonly #modulus: bigint;
  #zPower = 1n;

  constructor({ n, values, z, xPowers }: Weighing, modulus: bigint) {
    const zeros = (count: number): bigint[] => new Array<bigint>(count).fill(0n);
    [this.wL, this.wR, this.wO, this.wC] = [zeros(n), zeros(n), zeros(n), zeros(n)];
    this.wV = zeros(values);
    this.#z = z;
    this.#xPowers = xPowers;
    this.#modulus = modulus;
  }

  /** Takes the next constraint. */
  readonly sink: ConstraintSink = (constraint) => {
    this.#zPower = (this.#zPower * this.#z) % this.#modulus;
    this.kappa += this.#zPower * constraint.constant;
    for (const [variable, weight] of termsOf(constraint))
      this.#add(variable, this.#zPower * weight);
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
