import { createPowHasher, PowUnavailableError, type PowHasher } from '@monero-node/pow';

/** The machine's hasher; undefined where RandomX could not be built. */
export function realPowHasher(): PowHasher | undefined {
  try {
    return createPowHasher();
  } catch (error) {
    if (error instanceof PowUnavailableError) return undefined;
    throw error;
  }
}

/**
 * The machine's hasher or, without RandomX, one that answers zeros: at difficulty 1 every hash is
 * good enough, so only the tests of proof of work itself need the real one.
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
