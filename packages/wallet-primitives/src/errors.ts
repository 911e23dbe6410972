/** Why a seed was refused. */
export type SeedErrorCode =
  /** There are too few or too many words. */
  | 'word-count'
  /** A word is in no list, or the words are not all in one list. */
  | 'unknown-word'
  /** The words fit several lists. */
  | 'several-languages'
  /** The checksum differs: a word is wrong or two words were swapped. */
  | 'checksum'
  /** Three words stand for a number that no seed has. */
  | 'impossible-words'
  /** The seed uses features that this code does not know. */
  | 'features'
  /** The stored form of the seed is not well formed. */
  | 'format';

/** Thrown for words or bytes that are not a seed. The message never holds the words of the seed. */
export class SeedError extends Error {
  override readonly name = 'SeedError';
  readonly code: SeedErrorCode;
  /** The position of the word, from 0, for an unknown word. */
  readonly position: number | undefined;

  constructor(code: SeedErrorCode, message: string, position?: number) {
    super(message);
    this.code = code;
    this.position = position;
  }
}

/** Why a proof cannot be checked. A proof that is well formed and false is no error. */
export type ProofErrorCode =
  /** The text is not well formed. */
  | 'format'
  /** It names an output or a key image twice. */
  | 'duplicate'
  /** The id of the transaction is not known. */
  | 'unknown-id'
  /** The proof, or the rings, are not of this transaction. */
  | 'other-transaction'
  /** The proof is not about this address. */
  | 'other-address'
  /** A transaction that the proof names is missing. */
  | 'missing-transaction';

/** Thrown for the text of a proof or a signature that is malformed, or does not fit the transaction. */
export class ProofError extends Error {
  override readonly name = 'ProofError';
  readonly code: ProofErrorCode;

  constructor(code: ProofErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
