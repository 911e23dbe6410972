/**
 * The memory filling of Argon2d (RFC 9106) with the parameters of RandomX: one lane of 256 MiB. The blocks are at
 * the start of a memory shared by threads. That memory holds only them, so this module has no data of its own.
 */

const BLOCK_SIZE: usize = 1024;
const LANE_LENGTH: u32 = 262144;
const SEGMENT_LENGTH: u32 = 65536;
/** The block being made, behind the lane. */
const WORK: usize = 262144 * 1024;

/** The sum and twice the product of the lower halves, in each 64-bit lane. @inline */
function sum(a: v128, b: v128): v128 {
  const al = v128.shuffle<u32>(a, a, 0, 2, 0, 2);
  const bl = v128.shuffle<u32>(b, b, 0, 2, 0, 2);
  const product = i64x2.extmul_low_i32x4_u(al, bl);
  return i64x2.add(i64x2.add(a, b), i64x2.add(product, product));
}

/** @inline */
function rotate32(x: v128): v128 {
  return v128.shuffle<u32>(x, x, 1, 0, 3, 2);
}

/** @inline */
function rotate24(x: v128): v128 {
  return v128.shuffle<u8>(x, x, 3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10);
}

/** @inline */
function rotate16(x: v128): v128 {
  return v128.shuffle<u8>(x, x, 2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9);
}

/** @inline */
function rotate63(x: v128): v128 {
  return v128.xor(i64x2.shr_u(x, 63), i64x2.add(x, x));
}

/** The permutation P of Argon2 on eight pairs of words, the first at `at` and the others `stride` bytes apart. */
function permute(at: usize, stride: usize): void {
  const at1 = at + stride;
  const at2 = at1 + stride;
  const at3 = at2 + stride;
  const at4 = at3 + stride;
  const at5 = at4 + stride;
  const at6 = at5 + stride;
  const at7 = at6 + stride;
  let a0 = v128.load(at);
  let a1 = v128.load(at1);
  let b0 = v128.load(at2);
  let b1 = v128.load(at3);
  let c0 = v128.load(at4);
  let c1 = v128.load(at5);
  let d0 = v128.load(at6);
  let d1 = v128.load(at7);
  for (let half = 0; half < 2; half++) {
    a0 = sum(a0, b0);
    a1 = sum(a1, b1);
    d0 = rotate32(v128.xor(d0, a0));
    d1 = rotate32(v128.xor(d1, a1));
    c0 = sum(c0, d0);
    c1 = sum(c1, d1);
    b0 = rotate24(v128.xor(b0, c0));
    b1 = rotate24(v128.xor(b1, c1));
    a0 = sum(a0, b0);
    a1 = sum(a1, b1);
    d0 = rotate16(v128.xor(d0, a0));
    d1 = rotate16(v128.xor(d1, a1));
    c0 = sum(c0, d0);
    c1 = sum(c1, d1);
    b0 = rotate63(v128.xor(b0, c0));
    b1 = rotate63(v128.xor(b1, c1));
    if (half == 0) {
      // Columns become diagonals.
      const b = b0;
      b0 = v128.shuffle<u64>(b0, b1, 1, 2);
      b1 = v128.shuffle<u64>(b1, b, 1, 2);
      const d = d0;
      d0 = v128.shuffle<u64>(d1, d0, 1, 2);
      d1 = v128.shuffle<u64>(d, d1, 1, 2);
    } else {
      const b = b0;
      b0 = v128.shuffle<u64>(b1, b0, 1, 2);
      b1 = v128.shuffle<u64>(b, b1, 1, 2);
      const d = d0;
      d0 = v128.shuffle<u64>(d0, d1, 1, 2);
      d1 = v128.shuffle<u64>(d1, d, 1, 2);
    }
    const c = c0;
    c0 = c1;
    c1 = c;
  }
  v128.store(at, a0);
  v128.store(at1, a1);
  v128.store(at2, b0);
  v128.store(at3, b1);
  v128.store(at4, c0);
  v128.store(at5, c1);
  v128.store(at6, d0);
  v128.store(at7, d1);
}

/** Makes a block from the one before it and another one; `mixed`: the old content is xor-ed in. */
function makeBlock(to: usize, previous: usize, reference: usize, mixed: bool): void {
  for (let i: usize = 0; i < BLOCK_SIZE; i += 16) {
    const word = v128.xor(v128.load(previous + i), v128.load(reference + i));
    v128.store(WORK + i, word);
    v128.store(to + i, mixed ? v128.xor(v128.load(to + i), word) : word);
  }
  for (let i: usize = 0; i < 8; i++) permute(WORK + 128 * i, 16);
  for (let i: usize = 0; i < 8; i++) permute(WORK + 16 * i, 128);
  for (let i: usize = 0; i < BLOCK_SIZE; i += 16) {
    v128.store(to + i, v128.xor(v128.load(to + i), v128.load(WORK + i)));
  }
}

/** The block that `random` selects for block `current` (RFC 9106, 3.4.2). @inline */
function referenceOf(pass: i32, current: u32, random: u32): u32 {
  const slice = current / SEGMENT_LENGTH;
  const index = current % SEGMENT_LENGTH;
  const area = pass == 0 ? current - 1 : LANE_LENGTH - SEGMENT_LENGTH + index - 1;
  const square = (<u64>random * <u64>random) >> 32;
  const position = area - 1 - <u32>((<u64>area * square) >> 32);
  const start = pass == 0 ? 0 : (slice + 1) * SEGMENT_LENGTH;
  return (start + position) % LANE_LENGTH;
}

/** Makes the blocks from `first` up to `end` of a pass. The first pass starts with block 2. */
export function fill(pass: i32, first: u32, end: u32): void {
  for (let current = first; current < end; current++) {
    const previous = BLOCK_SIZE * <usize>(current == 0 ? LANE_LENGTH - 1 : current - 1);
    const reference = BLOCK_SIZE * <usize>referenceOf(pass, current, load<u32>(previous));
    makeBlock(BLOCK_SIZE * <usize>current, previous, reference, pass > 0);
  }
}
