import { monotonicMilliseconds, type MillisecondClock } from '@monero-node/base';
import { bytesEqual, toHex, type ParsedBlock } from '@monero-node/codec';
import { ConsensusError, meetsDifficulty } from '@monero-node/consensus';
import type { PowHasher, PowRequest } from '@monero-node/pow';
import { BadWork } from './bad-work.ts';
import { confirmedHash, powHashOf, type PowStatement } from './verify-pow.ts';
import type { Host, WorkClient } from '../types.ts';
import { WorkDeclinedError, WorkQueue } from './work-queue.ts';

/** Work on blocks that extend the top. Each costs one hash with a seed whose cache is there. */
const TOP = { places: 2, perHost: 64, waiting: 256 };
/** All other work, which may cost a cache of 256 MiB: one piece at a time. */
const OTHER = { places: 1, perHost: 4, waiting: 64 };
/** Bad proofs of work without a minute's pause after which other blocks of that host are not hashed. */
const MOST_BAD = 3;

/** The proof of work that a block needs at present. */
export interface WantedWork {
  readonly statement: PowStatement;
  /** Whether the block extends the top of the main chain. */
  readonly extendsTop: boolean;
  /** Id of the seed block of the next block of the main chain, 32 bytes. */
  readonly currentSeed: Uint8Array | undefined;
}

export interface WorkAheadDependencies {
  readonly pow: PowHasher;
  /** Returns the work that a block needs; undefined when none is to be done for it. */
  readonly wantedBy: (block: ParsedBlock) => Promise<WantedWork | undefined>;
  /** Milliseconds; the monotonic clock when absent. */
  readonly now?: MillisecondClock | undefined;
}

/**
 * Verifies proofs of work before the chain's own queue is entered, so that nothing waits there for a stranger's hash.
 * A block that extends the top waits only for others that do. Other blocks of the current seed are hashed one at a time,
 * and those of other seeds with an engine aside; see `PowHasher.hashAside`.
 */
export class WorkAhead {
  readonly #deps: WorkAheadDependencies;
  readonly #bad: BadWork;
  readonly #top: WorkQueue;
  readonly #other: WorkQueue;
  /** Work under way, by hex ids: several peers send a new block at the same time. */
  readonly #underWay = new Map<string, Promise<PowStatement | undefined>>();

  constructor(deps: WorkAheadDependencies) {
    this.#deps = deps;
    this.#bad = new BadWork(deps.now ?? monotonicMilliseconds);
    const badness = (host: Host): number => this.#bad.of(host);
    this.#top = new WorkQueue({ ...TOP, badness });
    this.#other = new WorkQueue({ ...OTHER, badness });
  }

  /** Pieces of work that wait. */
  get waiting(): number {
    return this.#top.waiting + this.#other.waiting;
  }

  /**
   * Returns what was proven about a block; undefined when there was nothing to prove.
   *
   * Throws ConsensusError 'bad-proof-of-work' or 'unconfirmed-proof-of-work'; WorkDeclinedError; PowUnavailableError when
   * this machine computes no hash that can be relied on.
   */
  async prove(block: ParsedBlock, client?: WorkClient): Promise<PowStatement | undefined> {
    const key = toHex(block.id);
    for (;;) {
      const earlier = this.#underWay.get(key);
      if (earlier === undefined) break;
      try {
        return await earlier;
      } catch (error) {
        // That client has left or has too much here, or asked no other engine; this one may not.
        const isOpen = isUnconfirmed(error) && wantsOpinion(client);
        if (!isOpen && !(error instanceof WorkDeclinedError)) throw error;
      }
    }
    const work = this.#prove(block, client);
    this.#underWay.set(key, work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(key);
    }
  }

  /**
   * Runs other work with a hash of a client, such as one that it has asked for. Settles as `task` does. Throws
   * WorkDeclinedError.
   */
  run<T>(client: WorkClient, task: () => Promise<T>): Promise<T> {
    return this.#other.run(client, task);
  }

  /** Forgets which blocks were refused. */
  forget(): void {
    this.#bad.clear();
  }

  async #prove(block: ParsedBlock, client?: WorkClient): Promise<PowStatement | undefined> {
    const wanted = await this.#deps.wantedBy(block);
    if (wanted === undefined) return undefined;
    const { statement, extendsTop } = wanted;
    const refusal = this.#bad.refusal(block.id, wantsOpinion(client));
    if (refusal !== undefined) throw refusal;
    if (client !== undefined && !extendsTop && this.#bad.of(client.host) >= MOST_BAD) {
      throw unconfirmed(statement, 'its sender has sent too much bad work of late');
    }
    try {
      await this.#verify(wanted, client);
      return statement;
    } catch (error) {
      if (error instanceof ConsensusError) {
        if (client !== undefined) this.#bad.note(client.host);
        if (isUnconfirmed(error)) {
          const isOpen = !wantsOpinion(client) && !isAside(wanted);
          this.#bad.refuse(block.id, error, isOpen);
        }
      }
      throw error;
    }
  }

  async #verify(wanted: WantedWork, client: WorkClient | undefined): Promise<void> {
    const { pow } = this.#deps;
    const { statement, extendsTop } = wanted;
    const { source, difficulty } = statement;
    if (source.kind === 'historical') {
      if (meetsDifficulty(source.hash, difficulty)) return;
      throw bad(statement);
    }
    const hasOldSeed = isAside(wanted);
    const queue = extendsTop ? this.#top : this.#other;
    const hash = await queue.run(client, () =>
      hasOldSeed ? hashAside(pow, source) : powHashOf(pow, source),
    );
    if (meetsDifficulty(hash, difficulty)) return;
    // An opinion on an old seed would cost a third cache. The refusal is not held against the sender then.
    const right =
      hasOldSeed || !wantsOpinion(client)
        ? undefined
        : await this.#other.run(client, () => confirmedHash(pow, source, hash));
    if (right === undefined) throw unconfirmed(statement, '');
    if (!meetsDifficulty(right, difficulty)) throw bad(statement);
  }
}

/** Returns whether two statements say the same about one block. */
export function isSameWork(a: PowStatement, b: PowStatement): boolean {
  if (a.height !== b.height || a.difficulty !== b.difficulty) return false;
  if (a.source.kind !== b.source.kind) return false;
  const [seed, other] = [seedOf(a.source), seedOf(b.source)];
  return seed === undefined || other === undefined || bytesEqual(seed, other);
}

/** Returns whether the hash of a block takes a seed for which this node has no cache. */
function isAside({ statement: { source }, extendsTop, currentSeed }: WantedWork): boolean {
  const seed = seedOf(source);
  if (extendsTop || seed === undefined) return false;
  return currentSeed === undefined || !bytesEqual(seed, currentSeed);
}

/** Returns the seed hash, 32 bytes, of RandomX of either version; undefined for other work. */
function seedOf(source: PowStatement['source']): Uint8Array | undefined {
  return 'seedHash' in source ? source.seedHash : undefined;
}

function wantsOpinion(client: WorkClient | undefined): boolean {
  return client?.losesByRefusal !== false;
}

function isUnconfirmed(error: unknown): boolean {
  return error instanceof ConsensusError && error.code === 'unconfirmed-proof-of-work';
}

function hashAside(pow: PowHasher, source: PowRequest): Promise<Uint8Array> {
  return pow.hashAside?.(source) ?? pow.hash(source);
}

function bad({ height, difficulty }: PowStatement): ConsensusError {
  return new ConsensusError('bad-proof-of-work', `difficulty ${difficulty}`, { height });
}

function unconfirmed({ height }: PowStatement, why: string): ConsensusError {
  return new ConsensusError('unconfirmed-proof-of-work', why, { height });
}
