import { FRESH_MS, type AgedStatement } from './fleet-answer.ts';
import { isSigned, type Statement } from './statement.ts';

/** How a node of the fleet looks from here. `self`: it is this node. `silent`: it does not answer, or with something else. */
export type MemberState = 'ready' | 'not_ready' | 'silent' | 'self';

/**
 * A node of the fleet, by the address at which it is asked. The key of its own last answer is the one whose statements count for it,
 * until it does not answer or answers with another. So others may repeat what it has said, but nobody speaks for it, and whoever makes
 * up many keys still has the votes of the addresses at which it answers.
 */
export class Member {
  /** Such as `10.0.0.1:18089`. */
  readonly address: string;
  /** The round in which it was asked last. */
  askedIn = -1;
  #isSelf = false;
  /** Its newest statement. */
  #statement: Statement | undefined;
  /** When that was made. */
  #madeAt = -Infinity;

  constructor(address: string) {
    this.address = address;
  }

  /** The key whose statements count for this node; undefined while it does not answer. */
  get id(): string | undefined {
    return this.#statement?.id;
  }

  /**
   * Returns whether another member with the same key has a newer statement. One machine may have several addresses, and a node may repeat
   * the word of another as its own.
   */
  isOlderThan(other: Member): boolean {
    const [own, others] = [this.#statement?.number ?? 0, other.#statement?.number ?? 0];
    return own === others ? this.#madeAt < other.#madeAt : own < others;
  }

  /** Takes what the node itself says. Throws Error when it has not signed that. */
  takeOwn({ statement }: AgedStatement, ownId: string, now: number): void {
    if (!isSigned(statement)) throw new Error('a statement with a wrong signature');
    this.#isSelf = statement.id === ownId;
    const isOlder =
      this.#statement?.id === statement.id && this.#statement.number > statement.number;
    if (isOlder) return;
    this.#statement = statement;
    this.#madeAt = now;
  }

  /**
   * Takes what another node repeats, if it is newer than what is known. Returns false when its key has not signed it: then nothing
   * else of that answer is to be believed.
   */
  takeRepeated({ statement, age }: AgedStatement, now: number): boolean {
    const known = this.#statement;
    if (known === undefined || known.id !== statement.id || known.number >= statement.number)
      return true;
    if (!isSigned(statement)) return false;
    this.#statement = statement;
    this.#madeAt = Math.max(this.#madeAt, now - age);
    return true;
  }

  /** The node did not answer. */
  miss(): void {
    this.#isSelf = false;
    this.#statement = undefined;
  }

  /** Returns what it said last, with its age, if that still counts; undefined otherwise, and for this node. */
  current(now: number): AgedStatement | undefined {
    const age = Math.max(0, now - this.#madeAt);
    if (this.#isSelf || this.#statement === undefined || age > FRESH_MS) return undefined;
    return { statement: this.#statement, age };
  }

  state(now: number): MemberState {
    if (this.#isSelf) return 'self';
    const current = this.current(now);
    if (current === undefined) return 'silent';
    return current.statement.isReady ? 'ready' : 'not_ready';
  }
}
