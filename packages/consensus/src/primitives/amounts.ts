/**
 * Whether an amount in atomic units is one decimal digit, 1 to 9, followed by zeros.
 *
 * Source: is_valid_decomposed_amount in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function isDecomposed(amount: bigint): boolean {
  return /^[1-9]0*$/.test(amount.toString());
}

/**
 * Returns the sum of amounts in atomic units; undefined when it does not fit 64 bits.
 *
 * Source: check_inputs_overflow and check_outs_overflow in
 * src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function sumU64(amounts: Iterable<bigint>): bigint | undefined {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum === BigInt.asUintN(64, sum) ? sum : undefined;
}
