import { createHash } from 'node:crypto';
import { BoundedMap } from '@monero-node/base';
import type { CurveTreeRoot } from '@monero-node/codec';
import type { ChainLookup, RingSlot } from '@monero-node/consensus';

/** The fork version, and the ring members or the curve tree, for which the proofs of a transaction were verified. */
export interface Verification {
  /** Fork version. */
  readonly version: number;
  /** Digest of the ring members or the curve tree used and of the revision of the rules, 32 bytes; see `RingRecorder`. */
  readonly ring: Uint8Array;
}

/**
 * The number of this node's rules for proofs and of the code that verifies them. Raise it whenever either changes for
 * a fork that exists: then transactions that were verified before an update of the node are verified again.
 */
export const RULES_REVISION = 1;

/** Bytes of a key or a commitment. */
const ELEMENT_SIZE = 32;
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
  readonly #entries: BoundedMap<string, { version: number; ring: string; isOwn: boolean }>;

  constructor(limit = DEFAULT_LIMIT) {
    this.#entries = new BoundedMap(limit);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** @param txId hex; all proofs of the transaction must have been verified */
  add(txId: string, { version, ring }: Verification): void {
    this.#entries.set(txId, { version, ring: textOf(ring), isOwn: true });
  }

  /** Adds one that was verified before this process started, perhaps by another revision of the rules. */
  addEarlier(txId: string, { version, ring }: Verification): void {
    this.#entries.set(txId, { version, ring: textOf(ring), isOwn: false });
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

  /** Returns whether this process verified the proofs that do not depend on ring members under this version. */
  coversOwnProofs(txId: string, version: number): boolean {
    const entry = this.#entries.get(txId);
    return entry?.isOwn === true && entry.version === version;
  }
}

function textOf(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1');
}

/** Forwards lookups to a chain and hashes the ring members it returns. */
export class RingRecorder implements ChainLookup {
  readonly #chain: ChainLookup;
  readonly #hash = createHash('sha256');

  /** @param revision of the rules by which the proofs are verified, a 32-bit number */
  constructor(chain: ChainLookup, revision = RULES_REVISION) {
    this.#chain = chain;
    this.#hash.update(Uint32Array.of(revision));
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

  readRingMember(slot: RingSlot, amount: bigint, index: bigint): boolean {
    if (!this.#chain.readRingMember(slot, amount, index)) return false;
    const { bytes, keyAt, commitmentAt, hasCommitment } = slot;
    const commitment = hasCommitment
      ? bytes.subarray(commitmentAt, commitmentAt + ELEMENT_SIZE)
      : this.commitToAmount(amount);
    // Both are 32 bytes and always hashed together, so different members cannot hash the same bytes.
    this.#hash.update(bytes.subarray(keyAt, keyAt + ELEMENT_SIZE)).update(commitment);
    return true;
  }

  commitToAmount(amount: bigint): Uint8Array {
    return this.#chain.commitToAmount(amount);
  }

  outputCount(amount: bigint): number {
    return this.#chain.outputCount(amount);
  }

  isSpent(keyImage: Uint8Array): boolean {
    return this.#chain.isSpent(keyImage);
  }

  treeRoot(referenceBlock: number): CurveTreeRoot | undefined {
    const tree = this.#chain.treeRoot?.(referenceBlock);
    // A transaction has ring members or one tree, never both.
    if (tree !== undefined) this.#hash.update(Uint8Array.of(tree.layers)).update(tree.root);
    return tree;
  }

  /**
   * Returns the SHA-256, 32 bytes, of the revision, and key and commitment of every member in order of lookup, or layers and root of
   * the tree. Call it only once.
   */
  digest(): Uint8Array {
    return this.#hash.digest();
  }
}
