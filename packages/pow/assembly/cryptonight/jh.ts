/**
 * JH-256 (Wu; SHA-3 finalist) on 4-bit elements, one per byte, as its paper describes it. One CryptoNight hash in four
 * uses it, and only for 200 bytes, so simplicity matters more than speed.
 */

/** Elements of the state and of a round constant. */
const ELEMENTS: usize = 256;
const CONSTANT_ELEMENTS: usize = 64;
const ROUNDS: usize = 42;

const STATE: usize = memory.data(128, 16);
const ELEMENT: usize = memory.data(256, 16);
const OLD: usize = memory.data(256, 16);
const CONSTANT: usize = memory.data(64, 16);
/** Round constants of all rounds, one element a byte. */
const CONSTANTS: usize = memory.data(2688, 16);
const TAIL: usize = memory.data(128, 16);
const INITIAL: usize = memory.data(128, 16);

/** The two S-boxes. */
const S_BOXES: usize = memory.data<u8>([
  9, 0, 4, 11, 13, 12, 3, 15, 1, 10, 2, 6, 7, 5, 8, 14, 3, 12, 6, 13, 5, 7, 1, 9, 15, 2, 0, 4, 11,
  10, 14, 8,
]);
/** Fraction of the square root of 2: the first round constant, big-endian. */
const FIRST_CONSTANT: usize = memory.data<u8>([
  0x6a, 0x09, 0xe6, 0x67, 0xf3, 0xbc, 0xc9, 0x08, 0xb2, 0xfb, 0x13, 0x66, 0xea, 0x95, 0x7d, 0x3e,
  0x3a, 0xde, 0xc1, 0x75, 0x12, 0x77, 0x50, 0x99, 0xda, 0x2f, 0x59, 0x0b, 0x06, 0x67, 0x32, 0x2a,
]);

/** Twice `x` modulo x^4 + x + 1. @inline */
function double(x: u32): u32 {
  return ((x << 1) ^ (x >> 3) ^ ((x >> 2) & 2)) & 0xf;
}

/** The linear step L on each pair and the permutation, of `count` elements from OLD to `target`. */
function mixAndPermute(target: usize, count: usize): void {
  for (let i: usize = 0; i < count; i += 2) {
    let a: u32 = load<u8>(OLD + i);
    let b: u32 = load<u8>(OLD + i + 1);
    b ^= double(a);
    a ^= double(b);
    // π swaps every other pair, …
    const swapped = i & 2;
    store<u8>(OLD + i, <u8>(swapped ? b : a));
    store<u8>(OLD + i + 1, <u8>(swapped ? a : b));
  }
  // … P' sorts even elements before odd ones, and φ swaps the pairs of the second half.
  const half = count / 2;
  for (let i: usize = 0; i < half; i++) {
    store<u8>(target + i, load<u8>(OLD + 2 * i));
    store<u8>(target + half + (i ^ 1), load<u8>(OLD + 2 * i + 1));
  }
}

/** Computes the round constants, each from the one before, and the value before the first block. */
export function setUpJh(): void {
  for (let i: usize = 0; i < CONSTANT_ELEMENTS; i++) {
    const byte = load<u8>(FIRST_CONSTANT + i / 2);
    store<u8>(CONSTANT + i, i & 1 ? byte & 0xf : byte >> 4);
  }
  for (let round: usize = 0; round < ROUNDS; round++) {
    memory.copy(CONSTANTS + CONSTANT_ELEMENTS * round, CONSTANT, CONSTANT_ELEMENTS);
    for (let i: usize = 0; i < CONSTANT_ELEMENTS; i++) {
      store<u8>(OLD + i, load<u8>(S_BOXES + <usize>load<u8>(CONSTANT + i)));
    }
    mixAndPermute(CONSTANT, CONSTANT_ELEMENTS);
  }
  memory.fill(STATE, 0, 128);
  store<u8>(STATE, 0x01); // 256 bits, big-endian
  memory.fill(TAIL, 0, 64);
  compress(TAIL);
  memory.copy(INITIAL, STATE, 128);
}

/** Bit `i` of the state, the highest of each byte first. @inline */
function bit(i: usize): u32 {
  return ((<u32>load<u8>(STATE + (i >> 3))) >> (7 - ((<u32>i) & 7))) & 1;
}

/** Element i has bits i, i + 256, i + 512 and i + 768 of the state; the two halves are interleaved. */
function group(): void {
  for (let i: usize = 0; i < ELEMENTS; i++) {
    const value = (bit(i) << 3) | (bit(i + 256) << 2) | (bit(i + 512) << 1) | bit(i + 768);
    store<u8>(ELEMENT + ((2 * i) % ELEMENTS) + i / 128, <u8>value);
  }
}

function ungroup(): void {
  memory.fill(STATE, 0, 128);
  for (let i: usize = 0; i < ELEMENTS; i++) {
    const value: u32 = load<u8>(ELEMENT + ((2 * i) % ELEMENTS) + i / 128);
    for (let row: usize = 0; row < 4; row++) {
      const at = STATE + 32 * row + (i >> 3);
      const shifted = ((value >> (3 - <u32>row)) & 1) << (7 - ((<u32>i) & 7));
      store<u8>(at, load<u8>(at) | (<u8>shifted));
    }
  }
}

/** The round function R8: a bit of the round constant chooses the S-box of each element. */
function permuteRound(constant: usize): void {
  for (let i: usize = 0; i < ELEMENTS; i++) {
    const box = (load<u8>(constant + (i >> 2)) >> (3 - ((<u8>i) & 3))) & 1;
    store<u8>(OLD + i, load<u8>(S_BOXES + 16 * <usize>box + <usize>load<u8>(ELEMENT + i)));
  }
  mixAndPermute(ELEMENT, ELEMENTS);
}

/** Adds the 64-byte block at `at` to half of the state. */
function addBlock(half: usize, block: usize): void {
  for (let i: usize = 0; i < 64; i += 8) {
    store<u64>(half + i, load<u64>(half + i) ^ load<u64>(block + i));
  }
}

function compress(block: usize): void {
  addBlock(STATE, block);
  group();
  for (let round: usize = 0; round < ROUNDS; round++) {
    permuteRound(CONSTANTS + CONSTANT_ELEMENTS * round);
  }
  ungroup();
  addBlock(STATE + 64, block);
}

/** Writes the 32-byte hash of `length` bytes to `out`, which may be the data itself. */
export function jh256(out: usize, data: usize, length: usize): void {
  memory.copy(STATE, INITIAL, 128);
  const rest = length % 64;
  const whole = length - rest;
  for (let done: usize = 0; done < whole; done += 64) compress(data + done);
  // The length has a block of its own, unless the message ends with a block.
  const tail: usize = rest == 0 ? 64 : 128;
  memory.fill(TAIL, 0, 128);
  memory.copy(TAIL, data + whole, rest);
  store<u8>(TAIL + rest, 0x80);
  store<u64>(TAIL + tail - 8, bswap<u64>(8 * <u64>length));
  for (let done: usize = 0; done < tail; done += 64) compress(TAIL + done);
  memory.copy(out, STATE + 96, 32);
}
