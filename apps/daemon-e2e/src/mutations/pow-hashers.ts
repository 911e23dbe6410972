import { createPowHasher, PowUnavailableError, type PowHasher } from '@monero-node/pow';

/** The native hasher; undefined where the RandomX addon was not built. */
export function realPowHasher(): PowHasher | undefined {
  try {
    return createPowHasher();
  } catch (error) {
    if (error instanceof PowUnavailableError) return undefined;
    throw error;
  }
}

/**
 * The native hasher or, without RandomX, one that returns zeros. At difficulty 1 every hash is sufficient,
 * so only the tests of proof of work need the native one.
 */
export function powHasherForDifficultyOne(): PowHasher {
  return (
    realPowHasher() ?? {
      name: 'none',
      hash: () => Promise.resolve(new Uint8Array(32)),
      close: () => Promise.resolve(),
    }
  );
}
