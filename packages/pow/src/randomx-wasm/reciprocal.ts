/** Returns whether IMUL_RCP does nothing for this divisor. */
export function isZeroOrPowerOf2(divisor: number): boolean {
  return (divisor & (divisor - 1)) === 0;
}

/** Returns 2^x ÷ divisor, rounded down to 64 bits: x is the largest for which it is below 2^64 (specification, 5.2.6). */
export function reciprocal(divisor: number): bigint {
  const bits = 32 - Math.clz32(divisor);
  return (1n << BigInt(63 + bits)) / BigInt(divisor);
}
