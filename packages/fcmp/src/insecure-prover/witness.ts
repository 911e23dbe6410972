import { mod } from '@noble/curves/abstract/modular.js';
import { type ConstraintSink, type Linear, termsOf, type Variable } from '../circuit/circuit.ts';
import { invert } from '../curves/fields.ts';

/** What the prover knows of a circuit; gates are worked out from the constraints, in their order. */
export class Witness {
  readonly aL: (bigint | undefined)[] = [];
  readonly aR: (bigint | undefined)[] = [];
  readonly constraints: Linear[] = [];
  readonly #modulus: bigint;
  /** The slots of each vector commitment. */
  readonly #slots: readonly (readonly bigint[])[];

  constructor(modulus: bigint, slots: readonly (readonly bigint[])[]) {
    this.#modulus = modulus;
    this.#slots = slots;
  }

  /** Takes the next constraint. Throws Error when it does not hold, or leaves more than one side of a gate open. */
  readonly sink: ConstraintSink = (constraint) => {
    this.constraints.push(constraint);
    let sum = constraint.constant;
    let open: [Variable, bigint] | undefined;
    for (const [variable, weight] of termsOf(constraint)) {
      const value = this.#valueOf(variable);
      if (value !== undefined) sum += value * weight;
      else if (open === undefined) open = [variable, weight];
      else throw new Error(`constraint ${this.constraints.length - 1} has two unknowns`);
    }
    if (open === undefined) {
      if (mod(sum, this.#modulus) === 0n) return;
      throw new Error(`constraint ${this.constraints.length - 1} does not hold`);
    }
    this.#assign(open[0], mod(-sum * invert(open[1], this.#modulus), this.#modulus));
  };

  #valueOf(variable: Variable): bigint | undefined {
    if (variable.side === 'C') return this.#slots[variable.commitment]?.[variable.slot];
    if (variable.side === 'V') return undefined;
    const [left, right] = [this.aL[variable.gate], this.aR[variable.gate]];
    if (variable.side === 'aL') return left;
    if (variable.side === 'aR') return right;
    if (left === undefined || right === undefined) return undefined;
    return (left * right) % this.#modulus;
  }

  #assign(variable: Variable, value: bigint): void {
    if (!('gate' in variable)) throw new Error('a slot is unknown');
    const { side, gate } = variable;
    const [left, right] = [this.aL[gate], this.aR[gate]];
    const over = (side_: bigint): bigint =>
      mod(value * invert(side_, this.#modulus), this.#modulus);
    if (side === 'aL') this.aL[gate] = value;
    else if (side === 'aR') this.aR[gate] = value;
    else if (left !== undefined) this.aR[gate] = over(left);
    else if (right !== undefined) this.aL[gate] = over(right);
    else throw new Error('neither side of a gate is known');
  }
}
