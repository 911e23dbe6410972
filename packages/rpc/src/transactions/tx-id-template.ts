/** Bits in an id. */
export const ID_BITS = 256;

/**
 * Whether an id agrees with a template in its first `bits` bits, counted from the most significant one of the last
 * byte: ids count as 256-bit numbers with the lowest byte first. Source: compare_hash32_reversed_nbits in
 * src/cryptonote_basic/cryptonote_basic_impl.cpp.
 */
export function matchesTemplate(id: Uint8Array, template: Uint8Array, bits: number): boolean {
  let at = id.length - 1;
  let left = bits;
  for (; left >= 8; at--, left -= 8) if (id[at] !== template[at]) return false;
  return left === 0 || ((id[at] ?? 0) ^ (template[at] ?? 0)) >> (8 - left) === 0;
}

/** Whether a template is zero in all bits but its first `bits`, so that it reveals no more than it must. */
export function isTemplate(template: Uint8Array, bits: number): boolean {
  const used = Math.ceil(bits / 8);
  const rest = template.subarray(0, template.length - used);
  if (rest.some((byte) => byte !== 0)) return false;
  const last = template[template.length - used] ?? 0;
  return bits % 8 === 0 || (last & (0xff >> (bits % 8))) === 0;
}

/** Orders ids as numbers with the lowest byte first, as monerod's database does. */
export function compareReversed(a: Uint8Array, b: Uint8Array): number {
  for (let at = a.length - 1; at >= 0; at--) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
