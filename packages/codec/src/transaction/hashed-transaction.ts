import { keccak256 } from '@monero-node/keccak';
import { hashOfHashes, isZeroHash, zeroHash } from '../hashes.ts';
import { proofBytes } from './rct-message.ts';
import type { ParsedTransaction, Transaction } from './types.ts';

/** Prunable hash of a transaction without prunable bytes. */
const HASH_OF_NOTHING = keccak256(new Uint8Array());

/** A transaction as read from `blob`. The fields are those of {@link ParsedTransaction}. */
export interface HashedTransactionParts {
  readonly tx: Transaction;
  readonly blob: Uint8Array;
  readonly prefixSize: number;
  readonly unprunedSize: number;
  readonly pruned: boolean;
  /** Hash of the part that a pruned transaction of version 2 lacks, 32 bytes; unknown by default. */
  readonly prunableHash?: Uint8Array | undefined;
}

/** A parsed transaction whose hashes are computed when they are first read, and then kept. */
export class HashedTransaction implements ParsedTransaction {
  readonly tx: Transaction;
  readonly blob: Uint8Array;
  readonly prefixSize: number;
  readonly unprunedSize: number;
  readonly pruned: boolean;
  #id: Uint8Array | undefined;
  #prefixHash: Uint8Array | undefined;
  #rctBaseHash: Uint8Array | undefined;
  #prunableHash: Uint8Array | undefined;
  #signatureMessage: Uint8Array | undefined;

  constructor(parts: HashedTransactionParts) {
    this.tx = parts.tx;
    this.blob = parts.blob;
    this.prefixSize = parts.prefixSize;
    this.unprunedSize = parts.unprunedSize;
    this.pruned = parts.pruned;
    if (parts.pruned && parts.tx.version === 2) this.#prunableHash = parts.prunableHash;
  }

  get id(): Uint8Array {
    return (this.#id ??= this.#computeId());
  }

  get prefixHash(): Uint8Array {
    return (this.#prefixHash ??= keccak256(this.blob.subarray(0, this.prefixSize)));
  }

  get rctBaseHash(): Uint8Array | undefined {
    if (this.tx.rct === undefined) return undefined;
    const { prefixSize, unprunedSize } = this;
    return (this.#rctBaseHash ??= keccak256(this.blob.subarray(prefixSize, unprunedSize)));
  }

  get prunableHash(): Uint8Array {
    return (this.#prunableHash ??= this.#computePrunableHash());
  }

  get signatureMessage(): Uint8Array | undefined {
    const { rctBaseHash, prefixHash } = this;
    const { prunable } = this.tx;
    if (rctBaseHash === undefined || prunable === undefined) return undefined;
    return (this.#signatureMessage ??= hashOfHashes(
      prefixHash,
      rctBaseHash,
      keccak256(proofBytes(prunable)),
    ));
  }

  #computeId(): Uint8Array {
    const { tx, rctBaseHash, pruned } = this;
    if (tx.rct === undefined || rctBaseHash === undefined) {
      return pruned ? zeroHash() : keccak256(this.blob);
    }
    if (pruned && isZeroHash(this.prunableHash)) return zeroHash();
    const last = tx.rct.type === 0 ? zeroHash() : this.prunableHash;
    return hashOfHashes(this.prefixHash, rctBaseHash, last);
  }

  #computePrunableHash(): Uint8Array {
    if (this.pruned || this.tx.rct === undefined) return zeroHash();
    if (this.tx.rct.type === 0) return HASH_OF_NOTHING.slice();
    return keccak256(this.blob.subarray(this.unprunedSize));
  }
}
