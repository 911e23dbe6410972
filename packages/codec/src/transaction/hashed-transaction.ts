import { keccak256 } from '@monero-node/keccak';
import { ByteReader } from '../byte-reader.ts';
import { ByteWriter } from '../byte-writer.ts';
import { DEFAULT_FORMATS } from '../formats.ts';
import { partsOf } from './parts.ts';
import { readTransaction } from './read-transaction.ts';
import { RANGE_SIG_SIZE, writeRangeSig } from './proofs.ts';
import { FCMP_TYPE } from './ringct.ts';
import type {
  ParsedTransaction,
  RctPrunable,
  RctType,
  Transaction,
  TransactionParts,
} from './types.ts';

/** Bytes of a hash. */
const HASH_SIZE = 32;
/** Bytes of a point or a scalar. */
const KEY_SIZE = 32;

/** Returns 32 zero bytes, which stand for "no hash" in the protocol. */
function zeroHash(): Uint8Array {
  return new Uint8Array(32);
}

/** Returns whether all bytes of a hash are zero. */
function isZeroHash(hash: Uint8Array): boolean {
  return hash.every((byte) => byte === 0);
}

/** Returns the Keccak-256 hash (32 bytes) of 32-byte hashes joined in order. */
function hashOfHashes(...hashes: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(hashes.length * 32);
  hashes.forEach((hash, i) => joined.set(hash, i * 32));
  return keccak256(joined);
}

/** Prunable hash of a transaction without prunable bytes. */
const HASH_OF_NOTHING = keccak256(new Uint8Array());

/** Hashes that are known, in `of` from `at` on. */
export interface KnownHashes {
  readonly of: Uint8Array;
  readonly at: number;
}

/** A transaction as read from `blob`. The fields are those of {@link ParsedTransaction}. */
export interface HashedTransactionParts {
  /** Made from `blob` when it is first read, if absent. */
  readonly tx?: Transaction | undefined;
  /** Made from `tx` if absent. */
  readonly parts?: TransactionParts | undefined;
  readonly blob: Uint8Array;
  readonly prefixSize: number;
  readonly unprunedSize: number;
  readonly pruned: boolean;
  /** Whether `tx` is to be read in the base form, pruned or not; false by default. */
  readonly isBase?: boolean | undefined;
  /** Hash of the part that a pruned transaction of version 2 lacks, 32 bytes; unknown by default. */
  readonly prunableHash?: Uint8Array | undefined;
  /** Its id and its prunable hash, 64 bytes from `at` on, if they are known. */
  readonly hashes?: KnownHashes | undefined;
}

/** A parsed transaction whose objects and hashes are made when they are first read, and then kept. */
export class HashedTransaction implements ParsedTransaction {
  readonly blob: Uint8Array;
  readonly prefixSize: number;
  readonly unprunedSize: number;
  readonly pruned: boolean;
  readonly #isBase: boolean;
  #tx: Transaction | undefined;
  /** Whether `tx` is made from the bytes. */
  readonly #isLazy: boolean;
  #parts: TransactionParts | undefined;
  readonly #hashes: KnownHashes | undefined;
  #id: Uint8Array | undefined;
  #prefixHash: Uint8Array | undefined;
  #rctBaseHash: Uint8Array | undefined;
  #prunableHash: Uint8Array | undefined;
  #signatureMessage: Uint8Array | undefined;

  constructor(parts: HashedTransactionParts) {
    this.#tx = parts.tx;
    this.#isLazy = parts.tx === undefined;
    this.#parts = parts.parts;
    this.blob = parts.blob;
    this.prefixSize = parts.prefixSize;
    this.unprunedSize = parts.unprunedSize;
    this.pruned = parts.pruned;
    this.#isBase = parts.isBase ?? false;
    this.#hashes = parts.hashes;
    if (parts.pruned && this.#rctType !== undefined) this.#prunableHash = parts.prunableHash;
  }

  get tx(): Transaction {
    // What was scanned has no output that would be another one in other formats.
    return (this.#tx ??= readTransaction(
      new ByteReader(this.blob),
      this.#isBase ? 'base' : 'full',
      DEFAULT_FORMATS,
    ).tx);
  }

  dropObjects(): void {
    if (this.#isLazy) this.#tx = undefined;
  }

  get parts(): TransactionParts {
    return (this.#parts ??= partsOf(this.tx));
  }

  get id(): Uint8Array {
    return (this.#id ??= this.#known(0) ?? this.#computeId());
  }

  hasId(id: Uint8Array): boolean {
    const { of, at } = this.#hashes ?? { of: this.id, at: 0 };
    if (id.length !== HASH_SIZE) return false;
    for (let i = 0; i < HASH_SIZE; i++) if (of[at + i] !== id[i]) return false;
    return true;
  }

  copyHashes(ids: Uint8Array, prunableHashes: Uint8Array, at: number): void {
    if (this.#hashes === undefined) {
      ids.set(this.id, at);
      prunableHashes.set(this.prunableHash, at);
      return;
    }
    // For so few bytes a loop is faster than `set`, which takes a view.
    const { of, at: from } = this.#hashes;
    for (let i = 0; i < HASH_SIZE; i++) {
      ids[at + i] = of[from + i] as number;
      prunableHashes[at + i] = of[from + HASH_SIZE + i] as number;
    }
  }

  get prefixHash(): Uint8Array {
    return (this.#prefixHash ??= keccak256(this.blob.subarray(0, this.prefixSize)));
  }

  get rctBaseHash(): Uint8Array | undefined {
    if (this.#rctType === undefined) return undefined;
    const { prefixSize, unprunedSize } = this;
    return (this.#rctBaseHash ??= keccak256(this.blob.subarray(prefixSize, unprunedSize)));
  }

  get prunableHash(): Uint8Array {
    return (this.#prunableHash ??= this.#known(HASH_SIZE) ?? this.#computePrunableHash());
  }

  get signatureMessage(): Uint8Array | undefined {
    const { rctBaseHash } = this;
    const { prunable } = this.tx;
    if (rctBaseHash === undefined || prunable === undefined) return undefined;
    return (this.#signatureMessage ??= this.#computeMessage(rctBaseHash, prunable));
  }

  /** Returns a copy of a known hash: whoever keeps an id is not to keep the hashes of other transactions too. */
  #known(offset: number): Uint8Array | undefined {
    if (this.#hashes === undefined) return undefined;
    const { of, at } = this.#hashes;
    return of.slice(at + offset, at + offset + HASH_SIZE);
  }

  /** Undefined for version 1. */
  get #rctType(): RctType | undefined {
    if (this.#tx !== undefined) return this.#tx.rct?.type;
    return this.parts.version === 1 ? undefined : this.parts.rctType;
  }

  #computeMessage(rctBaseHash: Uint8Array, prunable: RctPrunable): Uint8Array {
    if (this.#rctType === FCMP_TYPE) return hashOfHashes(this.prefixHash, rctBaseHash);
    return hashOfHashes(this.prefixHash, rctBaseHash, keccak256(proofBytes(prunable)));
  }

  #computeId(): Uint8Array {
    const { rctBaseHash, pruned } = this;
    if (rctBaseHash === undefined) {
      return pruned ? zeroHash() : keccak256(this.blob);
    }
    if (pruned && isZeroHash(this.prunableHash)) return zeroHash();
    const last = this.#rctType === 0 ? zeroHash() : this.prunableHash;
    return hashOfHashes(this.prefixHash, rctBaseHash, last);
  }

  #computePrunableHash(): Uint8Array {
    if (this.pruned || this.#rctType === undefined) return zeroHash();
    if (this.#rctType === 0) return HASH_OF_NOTHING.slice();
    return keccak256(this.blob.subarray(this.unprunedSize));
  }
}

/**
 * Returns the message that the ring signatures of a RingCT transaction sign (32 bytes): the hash of the hashes
 * of prefix, base and range proofs. The proofs of type 7 sign the hash of the hashes of prefix and base alone.
 * Source: get_pre_mlsag_hash in src/ringct/rctSigs.cpp, and calculate_signable_fcmp_pp_transaction_hash in
 * src/carrot_impl/format_utils.cpp.
 * Throws RangeError unless the transaction has RingCT type 1 … 7 and is not pruned.
 */
export function rctSignatureMessage(parsed: ParsedTransaction): Uint8Array {
  const { signatureMessage } = parsed;
  if (signatureMessage === undefined) {
    throw new RangeError('only a full RingCT transaction with signatures has a message');
  }
  return signatureMessage;
}

/** Returns the bytes of the range proofs of a transaction without list lengths; a transaction has only one kind. */
export function proofBytes(prunable: RctPrunable): Uint8Array {
  const { rangeSigs, bulletproofs, bulletproofsPlus } = prunable;
  if (rangeSigs.length > 0) {
    const writer = new ByteWriter(RANGE_SIG_SIZE * rangeSigs.length);
    for (const sig of rangeSigs) writeRangeSig(writer, sig);
    return writer.toBytes();
  }
  const lists: (readonly Uint8Array[])[] = [];
  for (const p of bulletproofs)
    lists.push([p.A, p.S, p.T1, p.T2, p.taux, p.mu], p.L, p.R, [p.a, p.b, p.t]);
  for (const p of bulletproofsPlus) lists.push([p.A, p.A1, p.B, p.r1, p.s1, p.d1], p.L, p.R);
  return joinKeys(lists.flat());
}

/** Returns keys, 32 bytes each, one after another. For so few bytes a loop is faster than `set`. */
function joinKeys(keys: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(KEY_SIZE * keys.length);
  let at = 0;
  for (const key of keys) {
    if (key.length !== KEY_SIZE) throw new RangeError('32-byte key expected');
    for (let i = 0; i < KEY_SIZE; i++) joined[at++] = key[i] as number;
  }
  return joined;
}
