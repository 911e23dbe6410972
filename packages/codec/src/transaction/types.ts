/**
 * Transactions as data. Hashes, keys and scalars are 32-byte arrays, and parsed ones are views of the blob
 * they came from: copy those that must outlive it. Source: src/cryptonote_basic/cryptonote_basic.h
 * and src/ringct/rctTypes.h.
 */

/** An input of a transaction. Only `gen` (in a coinbase) and `key` can ever be valid; the others parse. */
export type TxInput =
  | { kind: 'gen'; height: number }
  /** `keyOffsets` as on the wire: the first is absolute, the rest are differences; they wrap mod 2^64. */
  | { kind: 'key'; amount: bigint; keyOffsets: bigint[]; keyImage: Uint8Array }
  | { kind: 'script'; prev: Uint8Array; prevout: bigint; sigset: Uint8Array }
  | {
      kind: 'scripthash';
      prev: Uint8Array;
      prevout: bigint;
      keys: Uint8Array[];
      script: Uint8Array;
      sigset: Uint8Array;
    };

/** The target of an output. Only `key`, `tagged-key` and `carrot` can ever be valid; the others parse. */
export type TxTarget =
  | { kind: 'key'; key: Uint8Array }
  /** `viewTag` is one byte, 0 … 255. */
  | { kind: 'tagged-key'; key: Uint8Array; viewTag: number }
  /** An output from hard fork 17 on: `viewTag` has 3 bytes, `encryptedJanusAnchor` 16. */
  | { kind: 'carrot'; key: Uint8Array; viewTag: Uint8Array; encryptedJanusAnchor: Uint8Array }
  | { kind: 'script'; keys: Uint8Array[]; script: Uint8Array }
  /** Has the tag of `carrot`: which of both is read depends on the formats of the parser. */
  | { kind: 'scripthash'; hash: Uint8Array };

/** `amount` is in atomic units; 0 when a commitment hides it. */
export interface TxOutput {
  amount: bigint;
  target: TxTarget;
}

/** 0 Null, 1 Full, 2 Simple, 3 Bulletproof, 4 Bulletproof2, 5 CLSAG, 6 BulletproofPlus, 7 FcmpPlusPlus. */
export type RctType = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** Types 1-3: `mask` and `amount` of 32 bytes. Types 4-7: no mask, `amount` of 8 bytes. */
export interface EcdhInfo {
  mask?: Uint8Array;
  amount: Uint8Array;
}

/** The part of a RingCT signature that pruning keeps. For type 0, all but `type` are empty and the fee is 0. */
export interface RctBase {
  type: RctType;
  /** Atomic units. */
  fee: bigint;
  /** One per input, type 2 only; from type 3 on they are in {@link RctPrunable}. */
  pseudoOuts: Uint8Array[];
  /** One per output. */
  ecdhInfo: EcdhInfo[];
  /** The commitment of each output. */
  outPk: Uint8Array[];
}

/** A Borromean range proof (types 1, 2): `s0`, `s1` and `Ci` have 64 elements each. */
export interface RangeSig {
  s0: Uint8Array[];
  s1: Uint8Array[];
  ee: Uint8Array;
  Ci: Uint8Array[];
}

/** A Bulletproof (types 3, 4, 5) without its commitments, which are those of the outputs. */
export interface Bulletproof {
  A: Uint8Array;
  S: Uint8Array;
  T1: Uint8Array;
  T2: Uint8Array;
  taux: Uint8Array;
  mu: Uint8Array;
  L: Uint8Array[];
  R: Uint8Array[];
  a: Uint8Array;
  b: Uint8Array;
  t: Uint8Array;
}

/** A Bulletproof+ (types 6, 7) without its commitments, which are those of the outputs. */
export interface BulletproofPlus {
  A: Uint8Array;
  A1: Uint8Array;
  B: Uint8Array;
  r1: Uint8Array;
  s1: Uint8Array;
  d1: Uint8Array;
  L: Uint8Array[];
  R: Uint8Array[];
}

/** A multilayer ring signature (types 1-4): `ss` has a row per ring member. */
export interface Mlsag {
  ss: Uint8Array[][];
  cc: Uint8Array;
}

/** A CLSAG (types 5, 6): `s` has an element per ring member. */
export interface Clsag {
  s: Uint8Array[];
  c1: Uint8Array;
  D: Uint8Array;
}

/** The proof of a type 7 transaction that its inputs are outputs of the chain and may be spent. */
export interface FcmpProof {
  /** Index of the curve tree whose root the proof refers to. */
  referenceBlock: bigint;
  /** Layers of that tree, 1 … 12. */
  treeLayers: number;
  /** Its length follows from inputs and layers: `fcmpPlusPlusProofBytes`. */
  proof: Uint8Array;
}

/** The part of a RingCT signature that pruning removes. Lists that a type does not have are empty. */
export interface RctPrunable {
  rangeSigs: RangeSig[];
  bulletproofs: Bulletproof[];
  bulletproofsPlus: BulletproofPlus[];
  mlsags: Mlsag[];
  clsags: Clsag[];
  /** Type 7 only. */
  fcmp?: FcmpProof | undefined;
  /** One per input, types 3-7. */
  pseudoOuts: Uint8Array[];
}

/** A transaction of any era. */
export interface Transaction {
  version: 1 | 2;
  /** A height below 500,000,000, else seconds since 1970. */
  unlockTime: bigint;
  inputs: TxInput[];
  outputs: TxOutput[];
  extra: Uint8Array;
  /** Version 1, unless pruned: for each input its ring signature, 64 bytes per member; none for gen inputs. */
  signatures?: Uint8Array[][];
  /** Version 2 with at least one input. */
  rct?: RctBase;
  /** Version 2 with a type other than 0, unless pruned. */
  prunable?: RctPrunable;
}

/**
 * What a chain counts and stores of a transaction, whether it verifies the transaction or not. It can be read without making an
 * object for each input, output and signature. Arrays of bytes are views of the transaction's own: copy them to keep them longer.
 */
export interface TransactionParts {
  readonly version: 1 | 2;
  /** A height below 500,000,000, else seconds since 1970. */
  readonly unlockTime: bigint;
  readonly inputCount: number;
  /** Whether an input is of type gen, as in a miner transaction. */
  readonly isCoinbase: boolean;
  /** Ring members of the first input; undefined when that is of another type than key, or there is none. */
  readonly firstRing: number | undefined;
  /** The sum of the inputs' amounts modulo 2^64, in atomic units: version 1 only, 0 for version 2. */
  readonly inputAmount: bigint;
  readonly outputCount: number;
  /** Bytes of tx_extra. */
  readonly extraSize: number;
  /** 0 for version 1. */
  readonly rctType: RctType;
  /** The fee that version 2 states, in atomic units; 0 for version 1. */
  readonly rctFee: bigint;
  /** Rounds of each Bulletproof or Bulletproof+; none for other types, and when the transaction is pruned. */
  readonly proofRounds: readonly number[];
  /** Inputs of type key. */
  readonly keyImageCount: number;
  /** Returns the key image of one of them, 32 bytes. */
  keyImage(position: number): Uint8Array;
  /** Returns the number of ring members of one of them. */
  ringSize(position: number): number;
  /** Returns the amount of an output in atomic units; 0 when a commitment hides it. */
  outputAmount(position: number): bigint;
  /** Returns the one-time key of an output, 32 bytes; undefined when its target has none. */
  outputKey(position: number): Uint8Array | undefined;
  /** Returns the commitment of an output, 32 bytes; undefined for version 1 and RingCT type 0. */
  commitment(position: number): Uint8Array | undefined;
  /**
   * Copies a key image, the key or the commitment of an output, 32 bytes, to `at` of an array. Making a view of 32 bytes costs more
   * than copying them. Throws when there is none.
   */
  copy(what: CopiedPart, position: number, target: Uint8Array, at: number): void;
}

/** What `TransactionParts.copy` copies. */
export type CopiedPart = 'keyImage' | 'outputKey' | 'commitment';

/**
 * A transaction with its bytes and hashes. Do not change `blob`: hashes are computed, and `tx` is made, when they are first
 * read.
 */
export interface ParsedTransaction {
  readonly tx: Transaction;
  /** What a chain counts and stores of it, which is there before `tx` is. */
  readonly parts: TransactionParts;
  /**
   * The canonical bytes: the input itself (not a copy), except that a varint cut off by the end of the blob,
   * which the format tolerates, is written out.
   */
  readonly blob: Uint8Array;
  /** Bytes of the prefix, which `blob` begins with. */
  readonly prefixSize: number;
  /** Bytes of the base (pruned) form, which `blob` begins with: the prefix and for version 2 the RCT base. */
  readonly unprunedSize: number;
  /**
   * The transaction id. 32 zero bytes when it is not known: a pruned transaction of version 1, or one of
   * version 2 that was given without its prunable hash.
   */
  readonly id: Uint8Array;
  readonly prefixHash: Uint8Array;
  /** Hash of the RingCT base bytes; version 2 only. */
  readonly rctBaseHash?: Uint8Array | undefined;
  /**
   * Hash of the prunable bytes, as stored and reported: 32 zero bytes for version 1; the hash of no bytes
   * (`c5d24601…`) for version 2 with type 0, although the id formula takes zeros there.
   */
  readonly prunableHash: Uint8Array;
  /** The 32-byte message of the ring signatures (see rctSignatureMessage); only for a full transaction of RingCT type 1 to 7. */
  readonly signatureMessage?: Uint8Array | undefined;
  /** Whether this is the base form of a transaction that has a prunable part. */
  readonly pruned: boolean;
  /**
   * Drops `tx` if it can be made again: the transactions of many blocks wait to be stored, and views of each key and scalar of them would
   * keep the garbage collector busy.
   */
  dropObjects(): void;
  /** Returns whether `id` equals these 32 bytes; false for any other number of bytes. Makes no array. */
  hasId(id: Uint8Array): boolean;
  /**
   * Copies `id` and `prunableHash`, 32 bytes each, to the same position of two arrays. When another thread has hashed the transaction, no
   * array is made for either: a synchronization asks for thousands at once.
   */
  copyHashes(ids: Uint8Array, prunableHashes: Uint8Array, at: number): void;
}
