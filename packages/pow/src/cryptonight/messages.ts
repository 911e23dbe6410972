import type { CryptonightVariant } from '../cryptonight-variant.ts';

/** A message from the pool to a worker, which has one request at a time. */
export interface CryptonightJob {
  readonly variant: CryptonightVariant;
  readonly height: number | bigint;
  readonly blob: Uint8Array;
}
