import {
  isRandomxAlgorithm,
  type PowAlgorithm,
  type PowRule,
  type RandomxAlgorithm,
} from '@monero-node/consensus';
import type { CryptonightVariant, PowRequest } from '@monero-node/pow';

const CRYPTONIGHT_VARIANTS: Readonly<
  Record<Exclude<PowAlgorithm, RandomxAlgorithm>, CryptonightVariant>
> = { 'cryptonight-0': 0, 'cryptonight-1': 1, 'cryptonight-2': 2, 'cryptonight-r': 4 };

/** What is hashed to prove the work of a block. */
export interface PowInput {
  /** Height of the block. */
  readonly height: number | bigint;
  /** Block hashing blob. */
  readonly blob: Uint8Array;
  /** Id of the seed block, 32 bytes; only RandomX asks for it. */
  readonly seedHash: Uint8Array;
}

/** Returns the request for the proof of work of a block. */
export function powRequestOf(
  { algorithm, commitment }: PowRule,
  { height, blob, seedHash }: PowInput,
): PowRequest {
  if (isRandomxAlgorithm(algorithm)) return { kind: algorithm, seedHash, blob, commitment };
  return { kind: 'cryptonight', variant: CRYPTONIGHT_VARIANTS[algorithm], height, blob };
}
