import { BoundedMap, type MillisecondClock } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import type { ConsensusError } from '@monero-node/consensus';
import type { Host } from '../types.ts';

/** Hosts and blocks remembered; the oldest are forgotten first. */
const LIMIT = 4096;
/** Milliseconds in which bad work counts against its host. */
const HOST_MS = 60_000;
/** Milliseconds for which a block is refused without another hash. */
const BLOCK_MS = 60_000;

interface Record {
  readonly count: number;
  readonly at: number;
}

interface Refusal {
  readonly error: ConsensusError;
  /** Whether another engine might have contradicted. */
  readonly isOpen: boolean;
  readonly at: number;
}

/** The hosts that sent bad proofs of work of late, and the blocks whose bad proof of work no other engine has confirmed. */
export class BadWork {
  readonly #now: MillisecondClock;
  readonly #hosts = new BoundedMap<Host, Record>(LIMIT);
  readonly #blocks = new BoundedMap<string, Refusal>(LIMIT);

  constructor(now: MillisecondClock) {
    this.#now = now;
  }

  /** Returns how many bad proofs of work a host has sent without a minute's pause. */
  of(host: Host): number {
    const record = this.#hosts.get(host);
    return record !== undefined && this.#now() - record.at < HOST_MS ? record.count : 0;
  }

  /** Counts a bad proof of work of a host. */
  note(host: Host): void {
    this.#hosts.set(host, { count: this.of(host) + 1, at: this.#now() });
  }

  /**
   * Remembers a block, by its 32-byte id, that is not known to be invalid for ever.
   *
   * @param isOpen whether another engine might have contradicted and was not asked
   */
  refuse(id: Uint8Array, error: ConsensusError, isOpen: boolean): void {
    this.#blocks.set(toHex(id), { error, isOpen, at: this.#now() });
  }

  /**
   * Returns why a block was refused in the last minute; undefined when it was not.
   *
   * @param wantsOpinion leaves out a refusal for which no other engine was asked
   */
  refusal(id: Uint8Array, wantsOpinion: boolean): ConsensusError | undefined {
    const known = this.#blocks.get(toHex(id));
    if (known === undefined || this.#now() - known.at >= BLOCK_MS) return undefined;
    return known.isOpen && wantsOpinion ? undefined : known.error;
  }

  /** Forgets which blocks were refused. */
  clear(): void {
    this.#blocks.clear();
  }
}
