/**
 * Whether the amount is one decimal digit, 1 to 9, followed by zeros (is_valid_decomposed_amount in
 * src/cryptonote_basic/cryptonote_format_utils.cpp).
 */
export function isDecomposed(amount: bigint): boolean {
  return /^[1-9]0*$/.test(amount.toString());
}

/** Sum of amounts; undefined when it does not fit 64 bits. */
export function sumU64(amounts: Iterable<bigint>): bigint | undefined {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum === BigInt.asUintN(64, sum) ? sum : undefined;
}
