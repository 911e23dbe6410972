import type { CryptoBackend } from '../../types.ts';
import type { TestRandom } from '../random.ts';

/** A verdict for every item, or a result in hex. */
export type BackendAnswer = readonly boolean[] | string;

/** One question for all backends. */
export interface DifferentialCase {
  /** The input of the question as plain data, which is saved when backends disagree. */
  readonly input: unknown;
  /** How many cases it counts for: one for each verdict of a batch. */
  readonly items: number;
  ask(backend: CryptoBackend): BackendAnswer;
}

/** A function of the backends and a generator of questions about it. */
export interface DifferentialKind {
  readonly name: string;
  /** How many of 1000 cases are of this kind. */
  readonly share: number;
  /** Makes case number `index` from its own source of randomness alone. */
  make(random: TestRandom, index: number): DifferentialCase;
}

/** One case in three is honest, so that both verdicts occur. */
export function isHonest(index: number): boolean {
  return index % 3 === 0;
}
