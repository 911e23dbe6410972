import { randomWeight } from '../bulletproof/equation.ts';

/** Returns a number of [1, modulus). The same numbers in the same order make the same proof. */
export type NumberSource = (modulus: bigint) => bigint;

/** Numbers that nobody can foresee. */
export const SYSTEM_NUMBERS: NumberSource = randomWeight;
