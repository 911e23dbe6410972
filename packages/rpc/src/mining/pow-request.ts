import type { ForkRules } from '@monero-node/consensus';
import { cryptonightVariant, type PowRequest } from '@monero-node/pow';

/** Returns the request that hashes a hashing blob (bytes) under the rules of a fork. */
export function powRequestOf(options: {
  readonly rules: ForkRules;
  readonly height: number | bigint;
  readonly blob: Uint8Array;
  /** 32 bytes; only RandomX asks for it. */
  readonly seedHash: Uint8Array;
}): PowRequest {
  const { rules, height, blob, seedHash } = options;
  const variant = cryptonightVariant(rules.version);
  if (variant === undefined) return { kind: 'randomx', seedHash, blob };
  return { kind: 'cryptonight', variant, height, blob };
}
