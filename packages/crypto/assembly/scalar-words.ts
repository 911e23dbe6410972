/** The group order l in 64-bit words, and what needs no more than that. */

// l itself in 64-bit words; its third is 0.
export const L0: u64 = ((<u64>0x5812631a) << 32) | 0x5cf5d3ed;
export const L1: u64 = ((<u64>0x14def9de) << 32) | 0xa2f79cd6;
export const L3: u64 = (<u64>1) << 60;

/** True if the 32 bytes are a scalar below l (upstream `sc_check`). */
export function isCanonical(a: usize): bool {
  const w3 = load<u64>(a, 24);
  if (w3 != L3) return w3 < L3;
  if (load<u64>(a, 16) != 0) return false;
  const w1 = load<u64>(a, 8);
  if (w1 != L1) return w1 < L1;
  return load<u64>(a, 0) < L0;
}

/** r = a + b as 256-bit integers, without reduction. */
export function addWords(r: usize, a0: u64, a1: u64, a2: u64, a3: u64, b: usize): void {
  const b0 = load<u64>(b, 0);
  const b1 = load<u64>(b, 8);
  const b2 = load<u64>(b, 16);
  const s0 = a0 + b0;
  const c0 = u64(s0 < b0);
  const p1 = a1 + b1;
  const s1 = p1 + c0;
  const c1 = u64(p1 < b1) | u64(s1 < c0);
  const p2 = a2 + b2;
  const s2 = p2 + c1;
  const c2 = u64(p2 < b2) | u64(s2 < c1);
  store<u64>(r, s0, 0);
  store<u64>(r, s1, 8);
  store<u64>(r, s2, 16);
  store<u64>(r, a3 + load<u64>(b, 24) + c2, 24);
}

/** r = r - l as integers; r must be at least l. */
export function subtractOrder(r: usize): void {
  // Adding 2^256 - l: the complement of l, plus one.
  addWords(r, ~L0 + 1, ~L1, ~(<u64>0), ~L3, r);
}
