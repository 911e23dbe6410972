import type { Weighing, WeighedConstraints } from './weights.ts';
import type { ConstraintSink } from '../circuit/circuit.ts';
import type { CircuitArithmetic } from '../circuit/membership-circuit.ts';
import type { EdPoint } from '../curves/ed25519.ts';
import type { Generators } from '../curves/generators.ts';
import type { CycleCurve, CyclePoint } from '../curves/helios-selene.ts';

/** Why a backend does not work on this machine. */
export class BackendUnavailable extends Error {
  override readonly name = 'BackendUnavailable';
}

/** A sum of multiples of points on one curve, of which the fixed generators are named by their place. */
export interface CycleTerms {
  readonly points: readonly CyclePoint[];
  /** Of the points; these and all others are reduced modulo the order of the curve. */
  readonly scalars: readonly bigint[];
  readonly g: bigint;
  readonly h: bigint;
  /** Of G_0, G_1, …; as many as H has. */
  readonly G: readonly bigint[];
  readonly H: readonly bigint[];
}

/**
 * What the verifier asks of arithmetic, where its time goes. All else, the transcript, the circuit and the equations, is the same
 * for every backend. Backends give the same answers; everything is public and so computed in variable time.
 */
export interface FcmpBackend extends CircuitArithmetic {
  readonly name: 'native' | 'wasm' | 'reference';

  /** Returns the point of 32 bytes. Throws `RefusedProof` if it is none or the identity, by the rules of `decodePoint`. */
  decodePoint(curve: CycleCurve, bytes: Uint8Array): CyclePoint;

  /** Returns the point of 32 bytes, of the prime-order subgroup; the identity is one. Throws `RefusedProof` as the function of that name. */
  decodeEdPoint(bytes: Uint8Array): EdPoint;

  /** Returns the sum of multiples of points and of the fixed generators of a curve. */
  sum(generators: Generators, terms: CycleTerms): CyclePoint;

  /** Returns the sums of the constraints that `constrain` hands to its sink, modulo the order of a curve. */
  weigh(
    curve: CycleCurve,
    weighing: Weighing,
    constrain: (sink: ConstraintSink) => void,
  ): WeighedConstraints;

  /** Returns the sum of multiples of points of the prime-order subgroup, by scalars that are reduced modulo its order. */
  edSum(points: readonly EdPoint[], scalars: readonly bigint[]): EdPoint;
}
