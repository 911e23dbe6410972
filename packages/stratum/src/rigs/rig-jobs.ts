import { toHex } from '@monero-node/codec';
import { nonceOffset } from '@monero-node/pow';
import { targetOf, type Target } from '../protocol/target.ts';
import { EXTRA_NONCE_SIZE, type Work } from '../work/work.ts';

/** Where the byte that a rig in nicehash mode must not change is in the nonce: the last one. */
const FIXED_BYTE = 3;

/** A job of one rig. */
export interface Job {
  readonly id: string;
  readonly work: Work;
  readonly extraNonce: Uint8Array;
  readonly hashingBlob: Uint8Array;
  /** Difficulty of its shares. */
  readonly difficulty: number;
  readonly target: Target;
  /** Nonces sent so far. */
  readonly nonces: Set<number>;
}

/** Makes the jobs of one connection and remembers the newest ones. No two jobs of a server have the same extra nonce. */
export class RigJobs {
  readonly #connection: number;
  readonly #mostJobs: number;
  readonly #fixedByte: number | undefined;
  readonly #jobs = new Map<string, Job>();
  #made = 0;

  /**
   * @param connection its number in the server, below 2^32
   * @param hasFixedByte whether the rig is told the last byte of its nonces, as NiceHash wants it
   */
  constructor(connection: number, mostJobs: number, hasFixedByte: boolean) {
    this.#connection = connection;
    this.#mostJobs = mostJobs;
    this.#fixedByte = hasFixedByte ? connection & 0xff : undefined;
  }

  /** Makes a job. The difficulty of its shares is at most that of the network, so that no block is missed. */
  make(work: Work, wanted: number): Job {
    const extraNonce = Buffer.alloc(EXTRA_NONCE_SIZE);
    extraNonce.writeUInt32BE(this.#connection, 0);
    extraNonce.writeUInt32BE(this.#made++, 4);
    const hashingBlob = work.hashingBlob(extraNonce);
    if (this.#fixedByte !== undefined)
      hashingBlob[nonceOffset(hashingBlob) + FIXED_BYTE] = this.#fixedByte;
    const ofNetwork = work.template.difficulty;
    const difficulty = BigInt(wanted) < ofNetwork ? BigInt(wanted) : ofNetwork;
    const job = {
      id: this.#made.toString(16),
      work,
      extraNonce,
      hashingBlob,
      difficulty: Number(difficulty),
      target: targetOf(difficulty),
      nonces: new Set<number>(),
    };
    this.#jobs.set(job.id, job);
    for (const id of this.#jobs.keys()) {
      if (this.#jobs.size <= this.#mostJobs) break;
      this.#jobs.delete(id);
    }
    return job;
  }

  /** Returns one of the newest jobs. */
  get(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  /** Returns whether an id is that of a job of this connection that is forgotten. */
  isForgotten(id: string): boolean {
    return (
      /^[1-9a-f][0-9a-f]{0,7}$/.test(id) && parseInt(id, 16) <= this.#made && !this.#jobs.has(id)
    );
  }

  /** Returns whether a rig may send a nonce. */
  allows(nonce: number): boolean {
    return this.#fixedByte === undefined || nonce >>> 24 === this.#fixedByte;
  }
}

/** Returns a job as a rig gets it. `session`: the id of the rig. */
export function jobMessage({ id, work, hashingBlob, target }: Job, session: string): object {
  return {
    id: session,
    job_id: id,
    blob: toHex(hashingBlob),
    target: target.hex,
    algo: work.algorithm,
    height: work.template.height,
    seed_hash: work.seedHex,
  };
}
