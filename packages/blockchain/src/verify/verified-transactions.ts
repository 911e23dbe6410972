import { createHash } from 'node:crypto';
import { BoundedMap } from '@monero-node/base';
import type { ChainLookup, RingMember } from '@monero-node/consensus';

/** The fork version and the ring members for which the proofs of a transaction were verified. */
export interface Verification {
  /** Fork version. */
  readonly version: number;
  /** Digest of the ring members used, 32 bytes; see `RingRecorder`. */
  readonly ring: Uint8Array;
}

/** Entries kept by default, about 300 bytes of memory each. */
const DEFAULT_LIMIT = 50_000;

/**
 * Transactions whose proofs were all verified before they came in a block, so that they need not be verified
 * again. The proofs depend only on the transaction's bytes, which its id covers, and on its ring members. Rules
 * that depend on the chain are always checked again.
 *
 * Keeps the newest entries up to a limit. Forgetting one only costs the time to verify it again.
 */
export class VerifiedTransactions {
  readonly #entries: BoundedMap<string, { version: number; ring: string }>;

  constructor(limit = DEFAULT_LIMIT) {
    this.#entries = new BoundedMap(limit);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** @param txId hex; all proofs of the transaction must have been verified */
  add(txId: string, { version, ring }: Verification): void {
    this.#entries.set(txId, { version, ring: textOf(ring) });
  }

  delete(txId: string): void {
    this.#entries.delete(txId);
  }

  /** Returns whether a transaction is known at all; if not, its rings need not be hashed. */
  has(txId: string): boolean {
    return this.#entries.has(txId);
  }

  /** Returns whether all proofs of the transaction were verified under this version with these ring members. */
  covers(txId: string, { version, ring }: Verification): boolean {
    const entry = this.#entries.get(txId);
    return entry !== undefined && entry.version === version && entry.ring === textOf(ring);
  }

  /** Returns whether the proofs that do not depend on ring members were verified under this version. */
  coversOwnProofs(txId: string, version: number): boolean {
    return this.#entries.get(txId)?.version === version;
  }
}

function textOf(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1');
}

/** Forwards lookups to a chain and hashes the ring members it returns. */
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
    // Both are 32 bytes and always hashed together, so different members cannot hash the same bytes.
    if (member !== undefined) this.#hash.update(member.key).update(member.commitment);
    return member;
  }

  outputCount(amount: bigint): number {
    return this.#chain.outputCount(amount);
  }

  isSpent(keyImage: Uint8Array): boolean {
    return this.#chain.isSpent(keyImage);
  }

  /** Returns the SHA-256, 32 bytes, of key and commitment of every member in order of lookup. Call it only once. */
  digest(): Uint8Array {
    return this.#hash.digest();
  }
}
