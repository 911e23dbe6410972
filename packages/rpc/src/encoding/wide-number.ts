const LOW_64 = (1n << 64n) - 1n;

/** The three forms a 128-bit quantity is sent in. */
export interface WideNumber {
  readonly low: bigint;
  readonly top: bigint;
  /** `0x` and hex digits without leading zeros. */
  readonly wide: string;
}

/** Splits an integer below 2^128 into its low and high 64 bits and writes it in hex. */
export function wideNumber(value: bigint): WideNumber {
  const wide = `0x${value.toString(16)}`;
  if (value <= LOW_64) return { low: value, top: 0n, wide };
  return { low: value & LOW_64, top: value >> 64n, wide };
}
