/** Variants of CryptoNight, numbered as in monerod; 4 is CryptoNight-R. */
export type CryptonightVariant = 0 | 1 | 2 | 4;

const FIRST_VARIANT_1 = 7;
const FIRST_VARIANT_2 = 8;
const FIRST_VARIANT_R = 10;
const FIRST_RANDOMX = 12;

/**
 * Returns the variant used for blocks of a major version, or undefined from version 12 on, which use RandomX.
 * Source: get_block_longhash in src/cryptonote_core/cryptonote_tx_utils.cpp.
 */
export function cryptonightVariant(majorVersion: number): CryptonightVariant | undefined {
  if (majorVersion < FIRST_VARIANT_1) return 0;
  if (majorVersion < FIRST_VARIANT_2) return 1;
  if (majorVersion < FIRST_VARIANT_R) return 2;
  return majorVersion < FIRST_RANDOMX ? 4 : undefined;
}
