import { randomScalar } from '../curve/scalar.ts';

/** Where nonces and masks come from. */
export interface ScalarSource {
  /** Returns a scalar in [0, l). */
  scalar(): bigint;
}

/** The secure source of the system. */
export const SYSTEM_SCALARS: ScalarSource = { scalar: randomScalar };
