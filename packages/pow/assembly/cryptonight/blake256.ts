/** BLAKE-256 (Aumasson, Henzen, Meier, Phan; SHA-3 finalist): 14 rounds, no salt. Words are big-endian. */

const STATE: usize = memory.data(32, 16);
const BLOCK: usize = memory.data(64, 16);
const WORK: usize = memory.data(64, 16);
const TAIL: usize = memory.data(128, 16);

/** First digits of π. */
const CONSTANTS: usize = memory.data<u32>([
  0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89,
  0x452821e6, 0x38d01377, 0xbe5466cf, 0x34e90c6c, 0xc0ac29b7, 0xc97c50dd, 0x3f84d5b5, 0xb5470917,
]);
/** That of SHA-256. */
const INITIAL: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);
/** Ten permutations of the message words; rounds 10 to 13 start again. */
const SIGMA: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11,
  7, 5, 3, 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6,
  5, 10, 4, 0, 15, 8, 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13, 2, 12, 6, 10, 0, 11, 8,
  3, 4, 13, 7, 5, 15, 14, 1, 9, 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11, 13, 11, 7, 14,
  12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5, 10,
  2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
]);

/** Step G_i of a round, on four words of the work area. The round's permutation is at `sigma`. */
function mix(sigma: usize, i: usize, a: usize, b: usize, c: usize, d: usize): void {
  const first = (<usize>load<u8>(sigma + 2 * i)) << 2;
  const second = (<usize>load<u8>(sigma + 2 * i + 1)) << 2;
  a = WORK + 4 * a;
  b = WORK + 4 * b;
  c = WORK + 4 * c;
  d = WORK + 4 * d;
  let va = load<u32>(a) + load<u32>(b) + (load<u32>(BLOCK + first) ^ load<u32>(CONSTANTS + second));
  let vd = rotr<u32>(load<u32>(d) ^ va, 16);
  let vc = load<u32>(c) + vd;
  let vb = rotr<u32>(load<u32>(b) ^ vc, 12);
  va += vb + (load<u32>(BLOCK + second) ^ load<u32>(CONSTANTS + first));
  vd = rotr<u32>(vd ^ va, 8);
  vc += vd;
  vb = rotr<u32>(vb ^ vc, 7);
  store<u32>(a, va);
  store<u32>(b, vb);
  store<u32>(c, vc);
  store<u32>(d, vd);
}

/** `bits`: those of the message up to the end of this block, 0 in a block that holds none. */
function compress(block: usize, bits: u64): void {
  for (let i: usize = 0; i < 64; i += 4) store<u32>(BLOCK + i, bswap<u32>(load<u32>(block + i)));
  memory.copy(WORK, STATE, 32);
  memory.copy(WORK + 32, CONSTANTS, 32);
  store<u32>(WORK, load<u32>(WORK, 48) ^ (<u32>bits), 48);
  store<u32>(WORK, load<u32>(WORK, 52) ^ (<u32>bits), 52);
  store<u32>(WORK, load<u32>(WORK, 56) ^ (<u32>(bits >> 32)), 56);
  store<u32>(WORK, load<u32>(WORK, 60) ^ (<u32>(bits >> 32)), 60);
  for (let round: usize = 0; round < 14; round++) {
    const sigma = SIGMA + 16 * (round % 10);
    for (let i: usize = 0; i < 4; i++) mix(sigma, i, i, i + 4, i + 8, i + 12);
    for (let i: usize = 0; i < 4; i++) {
      mix(sigma, i + 4, i, ((i + 1) & 3) + 4, ((i + 2) & 3) + 8, ((i + 3) & 3) + 12);
    }
  }
  for (let i: usize = 0; i < 32; i += 4) {
    store<u32>(STATE + i, load<u32>(STATE + i) ^ load<u32>(WORK + i) ^ load<u32>(WORK + i + 32));
  }
}

/** Writes the 32-byte hash of `length` bytes to `out`, which may be the data itself. */
export function blake256(out: usize, data: usize, length: usize): void {
  memory.copy(STATE, INITIAL, 32);
  const rest = length % 64;
  const whole = length - rest;
  for (let done: usize = 0; done < whole; done += 64) {
    compress(data + done, 8 * <u64>(done + 64));
  }
  const tail: usize = rest < 56 ? 64 : 128;
  memory.fill(TAIL, 0, 128);
  memory.copy(TAIL, data + whole, rest);
  store<u8>(TAIL + rest, 0x80);
  store<u8>(TAIL + tail - 9, load<u8>(TAIL + tail - 9) | 0x01);
  store<u64>(TAIL + tail - 8, bswap<u64>(8 * <u64>length));
  compress(TAIL, rest > 0 ? 8 * <u64>length : 0);
  if (tail == 128) compress(TAIL + 64, 0);
  for (let i: usize = 0; i < 32; i += 4) store<u32>(out + i, bswap<u32>(load<u32>(STATE + i)));
}
