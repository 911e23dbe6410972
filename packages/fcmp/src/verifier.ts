import { createFcmpBackend, type FcmpBackendChoice } from './choose-backend.ts';
import { type FcmpPlusPlus, verifyFcmpPlusPlusBatch } from './verify.ts';

/**
 * Returns a function that tells whether all proofs of a batch are valid; see `verifyFcmpPlusPlusBatch`. Verification pools of
 * `@monero-node/crypto` load it, by the URL of this module, on each of their threads.
 *
 * Throws as `createFcmpBackend`.
 */
export function createFcmpVerifier(
  choice?: FcmpBackendChoice,
): (proofs: readonly FcmpPlusPlus[]) => boolean {
  const backend = createFcmpBackend(choice);
  return (proofs) => verifyFcmpPlusPlusBatch(proofs, backend);
}
