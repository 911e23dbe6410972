/**
 * Returns output indices from the offsets on the wire: the first is absolute, and each later one is
 * added to the one before. Sums wrap at 64 bits, as upstream.
 *
 * Source: relative_output_offsets_to_absolute in src/cryptonote_basic/cryptonote_format_utils.cpp.
 */
export function absoluteOffsets(relative: readonly bigint[]): bigint[] {
  let last = 0n;
  return relative.map((offset) => (last = BigInt.asUintN(64, last + offset)));
}
