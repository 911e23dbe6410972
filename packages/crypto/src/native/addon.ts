import { AddonError, loadAddon } from '@monero-node/base/addons';

/**
 * Functions of native/binding.cc. They throw TypeError for arguments that no caller here passes. A `path` is an index of
 * PATHS that this machine can run.
 */
export interface CryptoAddon {
  keccak256(data: Uint8Array, out: Uint8Array): void;
  hashToPoint(data: Uint8Array, out: Uint8Array): void;
  isPoint(bytes: Uint8Array): boolean;
  isValidKeyImage(bytes: Uint8Array): boolean;
  commitToAmount(amount: bigint, out: Uint8Array): void;
  /** Points of 32 bytes one after another. */
  verifyBalance(inputs: Uint8Array, outputs: Uint8Array, fee: bigint): boolean;
  /** Takes the bytes that `packClsags` returns; writes 1 or 0 for each signature to `answers`. */
  verifyClsag(packed: Uint8Array, answers: Uint8Array, path: number): void;
  /** Takes the bytes that `packRangeProofs` returns; `weights`: 32 secret random bytes per proof. */
  verifyBulletproofPlus(packed: Uint8Array, weights: Uint8Array, path: number): boolean;
  /** These take the proofs of old transactions as the functions of pack-old-proofs.ts pack them. */
  verifyRingSignature(packed: Uint8Array, answers: Uint8Array, path: number): void;
  verifyMlsag(packed: Uint8Array, answers: Uint8Array, path: number): void;
  verifyBorromean(packed: Uint8Array, answers: Uint8Array, path: number): void;
  /** `weights`: 64 secret random bytes per proof. */
  verifyBulletproof(packed: Uint8Array, weights: Uint8Array, path: number): boolean;
  /** 32 bytes of secret below l; points, derivations of 32 bytes each and answers 1 or 0, one after another. */
  keyDerivations(
    secret: Uint8Array,
    points: Uint8Array,
    derivations: Uint8Array,
    answers: Uint8Array,
    path: number,
  ): void;
  /** These take the items as ownership/compute.ts packs them; 32 bytes of result and an answer for each. */
  spendKeys(packed: Uint8Array, keys: Uint8Array, answers: Uint8Array, path: number): void;
  addMultiples(packed: Uint8Array, sums: Uint8Array, answers: Uint8Array, path: number): void;
  /** Returns whether a path was compiled in and this machine can run it. */
  hasPath(path: number): boolean;
}

/**
 * Returns the addon for this machine: the one compiled in a checkout of the repository, or that of the optional package
 * for this platform. Throws AddonError when there is none or it does not load.
 */
export function loadCryptoAddon(): CryptoAddon {
  return loadAddon<CryptoAddon>({
    from: import.meta.url,
    // src/ and dist/ are both next to native/.
    compiled: '../../native/build/crypto.node',
    install: 'install a C++ compiler (Debian: apt-get install g++), then run "npm run setup"',
    prebuilt: '@monero-node/crypto',
  });
}

/** Returns the addon for this machine, or undefined where there is none. */
export function findCryptoAddon(): CryptoAddon | undefined {
  try {
    return loadCryptoAddon();
  } catch (error) {
    if (error instanceof AddonError) return undefined;
    throw error;
  }
}
