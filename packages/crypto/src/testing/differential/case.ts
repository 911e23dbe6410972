import type { CryptoBackend } from '../../types.ts';
import type { TestRandom } from '../random.ts';

/** A verdict for every item, or a result in hex. */
export type Answer = readonly boolean[] | string;

/** One question that is put to all backends. */
export interface DifferentialCase {
  /** What the question is about, as plain data: it is saved when backends disagree. */
  readonly input: unknown;
  /** How many cases it counts for: one for each verdict of a batch. */
  readonly items: number;
  ask(backend: CryptoBackend): Answer;
}

/** One of the things that backends compute, and how to make questions about it. */
export interface DifferentialKind {
  readonly name: string;
  /** How many of 1000 cases are of this kind. */
  readonly share: number;
  /** Case number `index`, from nothing but the source of randomness, which is its own. */
  make(random: TestRandom, index: number): DifferentialCase;
}

/** Of three cases one is as its maker made it, so that both verdicts turn up. */
export function isHonest(index: number): boolean {
  return index % 3 === 0;
}
