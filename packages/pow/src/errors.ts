import { MachineError } from '@monero-node/base';

/** Reasons why proof of work cannot be computed; none of them says anything about a block. */
export type PowUnavailableCode =
  | 'closed'
  | 'no-memory'
  | 'no-library'
  | 'no-wasm'
  | 'worker-crashed'
  | 'failed'
  | 'timed-out'
  | 'disagreement'
  | 'unconfirmed'
  | 'too-many-refusals';

/** Thrown when proof of work cannot be computed on this machine or at present; the message says how to fix it. */
export class PowUnavailableError extends MachineError {
  override readonly name = 'PowUnavailableError';
  readonly code: PowUnavailableCode;

  constructor(code: PowUnavailableCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Thrown when the algorithm has no hash of the blob, as for variant 1 of CryptoNight and less than 43 bytes. */
export class PowInputError extends Error {
  override readonly name = 'PowInputError';
  readonly code = 'no-hash';
}
