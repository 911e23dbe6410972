/** One ring member as a signature sees it: the one-time output key and the Pedersen commitment, 32 bytes each. */
export interface RingPoint {
  readonly key: Uint8Array;
  readonly commitment: Uint8Array;
}

/** One CLSAG with everything it signs (upstream: `rct::clsag` plus the reconstructed `mixRing` row). All byte fields are 32 bytes. */
export interface ClsagProof {
  readonly message: Uint8Array;
  readonly ring: readonly RingPoint[];
  readonly pseudoOut: Uint8Array;
  readonly keyImage: Uint8Array;
  readonly s: readonly Uint8Array[];
  readonly c1: Uint8Array;
  readonly D: Uint8Array;
}

/** One Bulletproof+ and the output commitments (`outPk` masks) whose range it proves. All byte fields are 32 bytes. */
export interface BulletproofPlusProof {
  readonly commitments: readonly Uint8Array[];
  readonly A: Uint8Array;
  readonly A1: Uint8Array;
  readonly B: Uint8Array;
  readonly r1: Uint8Array;
  readonly s1: Uint8Array;
  readonly d1: Uint8Array;
  readonly L: readonly Uint8Array[];
  readonly R: readonly Uint8Array[];
}

/** One ring signature of a version 1 transaction (upstream: `check_ring_signature`). */
export interface RingSignatureProof {
  /** The prefix hash of the transaction, 32 bytes. */
  readonly message: Uint8Array;
  readonly keyImage: Uint8Array;
  /** One-time output keys, 32 bytes each. */
  readonly ring: readonly Uint8Array[];
  /** c ‖ r for every ring member, 64 bytes each. */
  readonly signatures: readonly Uint8Array[];
}

/**
 * One MLSAG of a RingCT transaction of types 1 to 4 (upstream: `rct::mgSig`). Type 1 has one for all inputs, which
 * proves the balance as well; the other types have one for each input. All byte fields are 32 bytes.
 */
export interface MlsagProof {
  readonly message: Uint8Array;
  /** For every position in the ring, the member of each input. */
  readonly ring: readonly (readonly RingPoint[])[];
  /** One for each input. */
  readonly keyImages: readonly Uint8Array[];
  /** Taken off the sum of the commitments at a position: the input's pseudo-output, or (type 1) all output commitments. */
  readonly offsets: readonly Uint8Array[];
  /** Taken off as fee·H: the fee in atomic units for type 1, else 0. */
  readonly fee: bigint;
  /** For every position, a scalar for each input and one more. */
  readonly ss: readonly (readonly Uint8Array[])[];
  readonly cc: Uint8Array;
}

/** One Borromean range proof (upstream: `rct::rangeSig`); lists have 64 elements, all byte fields are 32 bytes. */
export interface BorromeanProof {
  /** The output commitment (`outPk` mask). */
  readonly commitment: Uint8Array;
  readonly s0: readonly Uint8Array[];
  readonly s1: readonly Uint8Array[];
  readonly ee: Uint8Array;
  readonly Ci: readonly Uint8Array[];
}

/** One Bulletproof and the output commitments whose range it proves. All byte fields are 32 bytes. */
export interface BulletproofProof {
  readonly commitments: readonly Uint8Array[];
  readonly A: Uint8Array;
  readonly S: Uint8Array;
  readonly T1: Uint8Array;
  readonly T2: Uint8Array;
  readonly taux: Uint8Array;
  readonly mu: Uint8Array;
  readonly L: readonly Uint8Array[];
  readonly R: readonly Uint8Array[];
  readonly a: Uint8Array;
  readonly b: Uint8Array;
  readonly t: Uint8Array;
}

/** The claim sum(inputs) = sum(outputs) + fee·H over Pedersen commitments; `fee` in atomic units, below 2^64. */
export interface BalanceStatement {
  /** Pseudo-output commitments, 32 bytes each. */
  readonly inputs: readonly Uint8Array[];
  /** Output commitments (`outPk` masks), 32 bytes each. */
  readonly outputs: readonly Uint8Array[];
  readonly fee: bigint;
}

/**
 * The cryptography a verifying node needs. Bytes in, booleans out: predicates and verifiers
 * never throw, whatever the bytes or their length; a field of the wrong length answers false.
 */
export interface CryptoBackend {
  readonly name: 'reference' | 'wasm' | 'native';
  /** The code path taken, where a backend has several. */
  readonly detail?: string;
  /** Keccak-256 with the original 0x01 padding; 32 bytes. */
  keccak256(data: Uint8Array): Uint8Array;
  /** Hash to a point of the prime-order subgroup (upstream `crypto::hash_to_ec`): any length in, 32 bytes out. */
  hashToPoint(data: Uint8Array): Uint8Array;
  /** True if the 32 bytes decode to a curve point under Monero's rule (upstream `ge_frombytes_vartime`). */
  isPoint(bytes: Uint8Array): boolean;
  /** True if the bytes decode, are not the identity, and l·P is the identity. */
  isValidKeyImage(keyImage: Uint8Array): boolean;
  /** The commitment G + amount·H of a public amount (upstream `rct::zeroCommit`); throws RangeError outside 0..2^64-1. */
  commitToAmount(amount: bigint): Uint8Array;
  /** Pedersen balance as point equality. */
  verifyBalance(statement: BalanceStatement): boolean;
  /**
   * One answer for each proof. As upstream, this does not ask whether the key image lies in the
   * prime-order subgroup: a verifier must also ask `isValidKeyImage`.
   */
  verifyClsag(batch: readonly ClsagProof[]): boolean[];
  /** One answer for the whole batch: true only if every proof in it holds. */
  verifyBulletproofPlus(batch: readonly BulletproofPlusProof[]): boolean;
  /** One answer for each proof; whether the key image is valid is another question, as with `verifyClsag`. */
  verifyRingSignature(batch: readonly RingSignatureProof[]): boolean[];
  /** One answer for each proof; whether the key images are valid is another question. */
  verifyMlsag(batch: readonly MlsagProof[]): boolean[];
  /** One answer for each proof. */
  verifyBorromean(batch: readonly BorromeanProof[]): boolean[];
  /** One answer for the whole batch: true only if every proof in it holds. */
  verifyBulletproof(batch: readonly BulletproofProof[]): boolean;
}
