/** What to hash, and with which algorithm. */
export interface RandomxRequest {
  readonly kind: 'randomx';
  /** Id of the seed block, 32 bytes. */
  readonly seedHash: Uint8Array;
  /** Block hashing blob (header, tree hash, transaction count), 76 bytes or more. */
  readonly blob: Uint8Array;
}

export type PowRequest = RandomxRequest;

/** Computes proof-of-work hashes off the event loop. */
export interface PowHasher {
  /** Which implementation runs, for the log. */
  readonly name: string;
  /**
   * The 32-byte proof-of-work hash.
   *
   * @throws PowUnavailableError when memory for a cache cannot be had or the hasher is closed.
   */
  hash(request: PowRequest): Promise<Uint8Array>;
  /** Releases caches once running hashes are done. */
  close(): Promise<void>;
}

/** Proof of work cannot be computed on this machine; the message says what to do. */
export class PowUnavailableError extends Error {
  override readonly name = 'PowUnavailableError';
}
