/** Field elements are nine signed limbs of 29 bits, the last of 23 (8·29 + 23 = 255). */
export const LIMB_BITS: i64 = 29;
export const LIMB_MASK: i64 = (1 << 29) - 1;
export const TOP_BITS: i64 = 23;
export const TOP_MASK: i64 = (1 << 23) - 1;

/** Added before a carry and taken off after it, so that limbs come out between -HALF and HALF. */
export const HALF: i64 = 1 << 28;
export const HALF_TOP: i64 = 1 << 22;

/** Bytes of an element: nine i64. */
export const FIELD_SIZE: usize = 72;
/** Bytes of an element in a table: nine i32. */
export const PACKED_SIZE: usize = 36;
