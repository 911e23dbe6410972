import type { CryptoBackend } from '../../types.ts';
import { createTestRandom } from '../random.ts';
import type { BackendAnswer, DifferentialCase, DifferentialKind } from './case.ts';
import { ownershipKinds } from './ownership.ts';
import { primitiveKinds } from './primitives.ts';
import { rangeProofKinds } from './range-proofs.ts';
import { signatureKinds } from './signatures.ts';

/** A backend, named after its code path. */
export interface Subject {
  readonly name: string;
  readonly backend: CryptoBackend;
}

export interface DifferentialOptions {
  /** How many cases; no kind gets less than `fewest`. */
  readonly cases: number;
  readonly seed: string;
  /** 3 by default. */
  readonly fewest?: number;
}

/** The outcome of one case. */
export interface DifferentialOutcome {
  readonly kind: string;
  /** Case number `index` of this kind is the same whenever the seed is. */
  readonly index: number;
  readonly case: DifferentialCase;
  /** Each subject's answer, or the error with which it failed. */
  readonly answers: Readonly<Record<string, BackendAnswer>>;
  readonly agreed: boolean;
}

/** The number of cases of a kind, and of their verdicts each way (results in hex are neither). */
export interface Count {
  cases: number;
  accepted: number;
  refused: number;
}

/** All kinds of cases, cheap ones first. */
export function differentialKinds(seed: string): DifferentialKind[] {
  return [...primitiveKinds(), ...ownershipKinds(), ...signatureKinds(), ...rangeProofKinds(seed)];
}

function answerOf(subject: Subject, question: DifferentialCase): BackendAnswer {
  try {
    return question.ask(subject.backend);
  } catch (error) {
    return `threw ${String(error)}`;
  }
}

/** Runs one case on all subjects. */
export function runCase(
  kind: DifferentialKind,
  { index, seed }: { index: number; seed: string },
  subjects: readonly Subject[],
): DifferentialOutcome {
  const random = createTestRandom(`${seed} ${kind.name} ${index}`);
  const question = kind.make(random, index);
  const answers = Object.fromEntries(
    subjects.map((subject) => [subject.name, answerOf(subject, question)]),
  );
  const distinct = new Set(Object.values(answers).map((answer) => JSON.stringify(answer)));
  const failed = Object.values(answers).some(
    (answer) => typeof answer === 'string' && answer.startsWith('threw'),
  );
  return {
    kind: kind.name,
    index,
    case: question,
    answers,
    agreed: distinct.size === 1 && !failed,
  };
}

/** Yields the cases of one kind, one after another. */
export function* runKind(
  kind: DifferentialKind,
  { cases, seed, fewest = 3 }: DifferentialOptions,
  subjects: readonly Subject[],
): Iterable<DifferentialOutcome> {
  const wanted = Math.max(fewest, Math.round((cases * kind.share) / 1000));
  let done = 0;
  for (let index = 0; done < wanted; index++) {
    const outcome = runCase(kind, { index, seed }, subjects);
    done += outcome.case.items;
    yield outcome;
  }
}

/** Adds an outcome to the counts of its kind, by the answer of the first subject. */
export function addToCount(count: Count, outcome: DifferentialOutcome): void {
  const [answer] = Object.values(outcome.answers);
  count.cases += outcome.case.items;
  if (typeof answer === 'string' || answer === undefined) return;
  for (const verdict of answer) count[verdict ? 'accepted' : 'refused']++;
}
