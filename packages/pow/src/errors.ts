/** Why proof of work cannot be computed. None of these says anything about a block. */
export type PowUnavailableCode =
  'closed' | 'no-memory' | 'no-library' | 'no-wasm' | 'not-built' | 'worker-crashed' | 'failed';

/** Proof of work cannot be computed on this machine or not now; the message says what to do. */
export class PowUnavailableError extends Error {
  override readonly name = 'PowUnavailableError';
  readonly code: PowUnavailableCode;

  constructor(code: PowUnavailableCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The algorithm has no hash of the blob, as CryptoNight's variant 1 for less than 43 bytes. */
export class PowInputError extends Error {
  override readonly name = 'PowInputError';
}
