import { mod } from '@noble/curves/abstract/modular.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { randomBytes } from '@noble/hashes/utils.js';
import type { FcmpBackend } from '../backend/backend.ts';
import type { Generators } from '../curves/generators.ts';
import type { CyclePoint } from '../curves/helios-selene.ts';

/** So many that the remainder modulo a prime of 32 bytes is as good as uniform. */
const RANDOM_BYTES = 48;

/** Returns a number of [1, modulus) that nobody can foresee, with which an equation enters a sum of equations. */
export function randomWeight(modulus: bigint): bigint {
  return 1n + (bytesToNumberLE(randomBytes(RANDOM_BYTES)) % (modulus - 1n));
}

/**
 * The equations of any number of proofs on one curve, as one sum that must be the identity. Each equation is added with a
 * weight of its own, so that a wrong one shows but with probability 2^-250. Fixed generators occur once.
 */
export class CurveEquation {
  readonly generators: Generators;
  readonly backend: FcmpBackend;
  readonly #points: CyclePoint[] = [];
  readonly #scalars: bigint[] = [];
  readonly #G: bigint[] = [];
  readonly #H: bigint[] = [];
  #g = 0n;
  #h = 0n;

  constructor(generators: Generators, backend: FcmpBackend) {
    this.generators = generators;
    this.backend = backend;
  }

  /** Adds scalar·point. */
  add(scalar: bigint, point: CyclePoint): void {
    this.#scalars.push(scalar);
    this.#points.push(point);
  }

  /** Adds a multiple of g. */
  addG(scalar: bigint): void {
    this.#g += scalar;
  }

  /** Adds a multiple of h. */
  addH(scalar: bigint): void {
    this.#h += scalar;
  }

  /** Adds Σ G[i]·G_i + Σ H[i]·H_i. */
  addVectors(G: readonly bigint[], H: readonly bigint[]): void {
    for (const [scalars, sums] of [
      [G, this.#G],
      [H, this.#H],
    ] as const) {
      for (const [i, scalar] of scalars.entries()) sums[i] = (sums[i] ?? 0n) + scalar;
    }
  }

  /** Whether the sum is the identity. */
  holds(): boolean {
    const { order } = this.generators.curve;
    const reduced = (scalars: readonly bigint[]): bigint[] =>
      scalars.map((scalar) => mod(scalar, order));
    const sum = this.backend.sum(this.generators, {
      points: this.#points,
      scalars: reduced(this.#scalars),
      g: mod(this.#g, order),
      h: mod(this.#h, order),
      G: reduced(this.#G),
      H: reduced(this.#H),
    });
    return sum.is0();
  }
}
