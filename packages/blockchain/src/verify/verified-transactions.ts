import { createHash } from 'node:crypto';
import type { ChainLookup, RingMember } from '@monero-node/consensus';

/** What the proofs of a transaction were verified against, and hold for. */
export interface Verification {
  /** Fork version. */
  readonly version: number;
  /** Digest of the ring members used, 32 bytes; see `RingRecorder`. */
  readonly ring: Uint8Array;
}

/** Each takes some 300 bytes of memory. */
const DEFAULT_LIMIT = 50_000;

/**
 * Transactions all of whose proofs were verified before they came in a block, so that they need not
 * be verified again. A transaction's id covers every byte of it; its ring members are what else
 * the proofs depend on. Rules that look at the chain are no part of this: they are always checked anew.
 *
 * Keeps the newest entries up to a limit: forgetting one costs time and nothing else.
 */
export class VerifiedTransactions {
  readonly #limit: number;
  readonly #entries = new Map<string, { version: number; ring: string }>();

  constructor(limit = DEFAULT_LIMIT) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** @param txId hex; all proofs of the transaction must have been found good. */
  add(txId: string, { version, ring }: Verification): void {
    this.#entries.delete(txId);
    this.#entries.set(txId, { version, ring: textOf(ring) });
    if (this.#entries.size <= this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  delete(txId: string): void {
    this.#entries.delete(txId);
  }

  /** Whether anything is known of a transaction: if not, its rings need not be looked at. */
  has(txId: string): boolean {
    return this.#entries.has(txId);
  }

  /** Whether all proofs of the transaction are good under that version and with those ring members. */
  covers(txId: string, { version, ring }: Verification): boolean {
    const entry = this.#entries.get(txId);
    return entry !== undefined && entry.version === version && entry.ring === textOf(ring);
  }

  /** Whether those proofs are known good that do not depend on ring members. */
  coversOwnProofs(txId: string, version: number): boolean {
    return this.#entries.get(txId)?.version === version;
  }
}

function textOf(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1');
}

/** Passes questions on to a chain and takes down which ring members it answered with. */
export class RingRecorder implements ChainLookup {
  readonly #chain: ChainLookup;
  readonly #hash = createHash('sha256');

  constructor(chain: ChainLookup) {
    this.#chain = chain;
  }

  get height(): number {
    return this.#chain.height;
  }

  get version(): number {
    return this.#chain.version;
  }

  adjustedTime(): number {
    return this.#chain.adjustedTime();
  }

  ringMember(amount: bigint, index: bigint): RingMember | undefined {
    const member = this.#chain.ringMember(amount, index);
    // Both are 32 bytes, always both: nothing else can give the same stream.
    if (member !== undefined) this.#hash.update(member.key).update(member.commitment);
    return member;
  }

  outputCount(amount: bigint): number {
    return this.#chain.outputCount(amount);
  }

  isSpent(keyImage: Uint8Array): boolean {
    return this.#chain.isSpent(keyImage);
  }

  /** SHA-256 over key and commitment of every member asked for, in the order of asking. To be called once. */
  digest(): Uint8Array {
    return this.#hash.digest();
  }
}
