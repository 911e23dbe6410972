import type { OutputBatch } from './output-batch.ts';

/** A ring member: its one-time output key and its Pedersen commitment, 32 bytes each. */
export interface RingPoint {
  readonly key: Uint8Array;
  readonly commitment: Uint8Array;
}

/** One CLSAG with all that it signs (upstream: `rct::clsag` and the reconstructed `mixRing` row). All byte fields have 32 bytes. */
export interface ClsagProof {
  readonly message: Uint8Array;
  readonly ring: readonly RingPoint[];
  readonly pseudoOut: Uint8Array;
  readonly keyImage: Uint8Array;
  readonly s: readonly Uint8Array[];
  readonly c1: Uint8Array;
  readonly D: Uint8Array;
}

/** One Bulletproof+ and the output commitments (`outPk` masks) whose range it proves. All byte fields have 32 bytes. */
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
 * also proves the balance; the other types have one for each input. All byte fields have 32 bytes.
 */
export interface MlsagProof {
  readonly message: Uint8Array;
  /** For every position in the ring, the member of each input. */
  readonly ring: readonly (readonly RingPoint[])[];
  /** One for each input. */
  readonly keyImages: readonly Uint8Array[];
  /** Subtracted from the sum of the commitments at a position: the input's pseudo-output, or (type 1) all output commitments. */
  readonly offsets: readonly Uint8Array[];
  /** Subtracted as fee·H: the fee in atomic units for type 1, otherwise 0. */
  readonly fee: bigint;
  /** For every position, a scalar for each input and one for the last row. */
  readonly ss: readonly (readonly Uint8Array[])[];
  readonly cc: Uint8Array;
}

/** One Borromean range proof (upstream: `rct::rangeSig`). The lists have 64 elements, all byte fields 32 bytes. */
export interface BorromeanProof {
  /** The output commitment (`outPk` mask). */
  readonly commitment: Uint8Array;
  readonly s0: readonly Uint8Array[];
  readonly s1: readonly Uint8Array[];
  readonly ee: Uint8Array;
  readonly Ci: readonly Uint8Array[];
}

/** One Bulletproof and the output commitments whose range it proves. All byte fields have 32 bytes. */
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

/** An output that may belong to an account. */
export interface OutputCandidate {
  /** The derivation of the account for a public key of the transaction, as `keyDerivations` returns it, 32 bytes. */
  readonly derivation: Uint8Array;
  /** The position of the output in its transaction, below 2^32. */
  readonly index: number;
  /** The one-time key, 32 bytes. */
  readonly key: Uint8Array;
  /** 0 to 255; absent for an output without one. */
  readonly viewTag?: number | undefined;
}

/** An output of a batch that passed the test of its view tag. */
export interface OutputMatch {
  /** The place of the output: what `OutputBatch.add` returned. */
  readonly output: number;
  /** 8·secret·P, 32 bytes. */
  readonly derivation: Uint8Array;
  /** The spend key that the output would belong to, 32 bytes. */
  readonly spendKey: Uint8Array;
}

/** The sum a·A + b·B of two points with scalars below l, 32 bytes each. */
export interface PointSum {
  readonly a: Uint8Array;
  readonly A: Uint8Array;
  readonly b: Uint8Array;
  readonly B: Uint8Array;
}

/** An FCMP++ proof of a transaction and what it is about. All byte arrays but the proof have 32 bytes. */
export interface FcmpStatement {
  readonly message: Uint8Array;
  /** Of the tree of the reference block, and its root. */
  readonly layers: number;
  readonly root: Uint8Array;
  /** One for each input. */
  readonly pseudoOuts: readonly Uint8Array[];
  /** One for each input. */
  readonly keyImages: readonly Uint8Array[];
  readonly proof: Uint8Array;
}

/**
 * Returns one answer for all proofs: true only if every one holds. It throws for no proof, whatever its bytes: an error tells that the
 * verifier failed.
 */
export type FcmpVerifier = (proofs: readonly FcmpStatement[]) => boolean;

/**
 * The cryptography that a verifying node needs, and what a wallet needs to find its outputs. Predicates and verifiers take bytes and return booleans. They
 * never throw, whatever the bytes or their length; for a field of the wrong length they return false.
 */
export interface CryptoBackend {
  readonly name: 'reference' | 'wasm' | 'native';
  /** The code path taken, where a backend has several. */
  readonly detail?: string;
  /** Returns Keccak-256 with the original padding byte 0x01: any length in, 32 bytes out. */
  keccak256(data: Uint8Array): Uint8Array;
  /** Hashes to a point of the prime-order subgroup (upstream `crypto::hash_to_ec`): any length in, 32 bytes out. */
  hashToPoint(data: Uint8Array): Uint8Array;
  /** Returns whether the 32 bytes decode to a curve point under Monero's rule (upstream `ge_frombytes_vartime`). */
  isPoint(bytes: Uint8Array): boolean;
  /** Returns whether the bytes decode to a point P other than the identity for which l·P is the identity. */
  isValidKeyImage(keyImage: Uint8Array): boolean;
  /**
   * Returns the commitment G + amount·H, 32 bytes, of a public amount in atomic units (upstream `rct::zeroCommit`).
   * Throws RangeError outside 0 to 2^64-1.
   */
  commitToAmount(amount: bigint): Uint8Array;
  /** Returns whether the balance holds as an equation of points. */
  verifyBalance(statement: BalanceStatement): boolean;
  /**
   * Returns one answer for each proof. Like upstream, this does not check that the key image lies in the
   * prime-order subgroup: a verifier must also call `isValidKeyImage`.
   */
  verifyClsag(batch: readonly ClsagProof[]): boolean[];
  /** Returns one answer for the whole batch: true only if every proof in it holds. */
  verifyBulletproofPlus(batch: readonly BulletproofPlusProof[]): boolean;
  /** Returns one answer for each proof; `isValidKeyImage` must be called too, as with `verifyClsag`. */
  verifyRingSignature(batch: readonly RingSignatureProof[]): boolean[];
  /** Returns one answer for each proof; `isValidKeyImage` must be called too, for every key image. */
  verifyMlsag(batch: readonly MlsagProof[]): boolean[];
  /** Returns one answer for each proof. */
  verifyBorromean(batch: readonly BorromeanProof[]): boolean[];
  /** Returns one answer for the whole batch: true only if every proof in it holds. */
  verifyBulletproof(batch: readonly BulletproofProof[]): boolean;
  /**
   * Returns for each public key P, 32 bytes, the derivation 8·secret·P, 32 bytes; undefined for one that is not a point
   * (upstream `generate_key_derivation`). The time depends on the secret.
   * Throws RangeError unless the secret has 32 bytes and is below l.
   */
  keyDerivations(secret: Uint8Array, publicKeys: readonly Uint8Array[]): (Uint8Array | undefined)[];
  /**
   * Returns for each output the spend key that it would belong to, P - Hs(derivation ‖ index)·G, 32 bytes (upstream
   * `derive_subaddress_public_key`). Undefined if the view tag is not that of the derivation (upstream
   * `derive_view_tag`), or the key is not a point, or a field has the wrong size.
   */
  spendKeys(candidates: readonly OutputCandidate[]): (Uint8Array | undefined)[];
  /**
   * Returns, in the order of the batch, the outputs for which `keyDerivations` and `spendKeys` find a spend key. A public key
   * that is not a point counts as the derivation that is the identity, as in wallet2. Of outputs with view tags about one of 256 passes.
   * Throws RangeError unless the secret has 32 bytes and is below l.
   */
  findSpendKeys(secret: Uint8Array, batch: OutputBatch): OutputMatch[];
  /**
   * Returns each sum, 32 bytes; undefined if a point does not decode or a scalar is not below l. Scalars count as
   * integers, so that points with torsion add up as they should. The time depends on the scalars.
   */
  addMultiples(sums: readonly PointSum[]): (Uint8Array | undefined)[];
}
