/** Skein-512-256 (Ferguson and others, version 1.3; SHA-3 finalist). */

/** Chaining value, with room for the ninth key word. */
const CHAIN: usize = memory.data(72, 16);
const WORDS: usize = memory.data(64, 16);
const OLD: usize = memory.data(64, 16);
const INITIAL: usize = memory.data(64, 16);
const TAIL: usize = memory.data(64, 16);

const KEY_PARITY: u64 = ((<u64>0x1bd11bda) << 32) | 0xa9fc1a22;

/** Types of a block, in the upper word of the tweak, and its flags. */
const CONFIGURATION: u64 = (<u64>4) << 56;
const MESSAGE: u64 = (<u64>48) << 56;
const OUTPUT: u64 = (<u64>63) << 56;
const FIRST: u64 = (<u64>1) << 62;
const FINAL: u64 = (<u64>1) << 63;

/** Rotations of the four pairs, in rounds 0 to 7. */
const ROTATIONS: usize = memory.data<u8>([
  46, 36, 19, 37, 33, 27, 14, 42, 17, 49, 36, 39, 44, 9, 54, 56, 39, 30, 34, 24, 13, 50, 10, 17, 25,
  29, 39, 43, 8, 35, 56, 22,
]);
/** Where word i comes from after a round. */
const PERMUTATION: usize = memory.data<u8>([2, 1, 4, 7, 6, 5, 0, 3]);

/** Adds subkey `index` of Threefish to the words. */
function addSubkey(index: usize, position: u64, type: u64): void {
  for (let i: usize = 0; i < 8; i++) {
    let key = load<u64>(CHAIN + 8 * ((index + i) % 9));
    if (i == 5) key += tweak(index % 3, position, type);
    if (i == 6) key += tweak((index + 1) % 3, position, type);
    if (i == 7) key += <u64>index;
    store<u64>(WORDS + 8 * i, load<u64>(WORDS + 8 * i) + key);
  }
}

function tweak(index: usize, position: u64, type: u64): u64 {
  if (index == 0) return position;
  return index == 1 ? type : position ^ type;
}

/** One block of UBI; `position`: bytes of the message up to its end. */
function compress(block: usize, position: u64, type: u64): void {
  let parity = KEY_PARITY;
  for (let i: usize = 0; i < 64; i += 8) parity ^= load<u64>(CHAIN + i);
  store<u64>(CHAIN + 64, parity);
  memory.copy(WORDS, block, 64);
  for (let round: usize = 0; round < 72; round++) {
    if (round % 4 == 0) addSubkey(round / 4, position, type);
    for (let pair: usize = 0; pair < 4; pair++) {
      const at = WORDS + 16 * pair;
      const sum = load<u64>(at) + load<u64>(at + 8);
      const turn = load<u8>(ROTATIONS + 4 * (round % 8) + pair);
      store<u64>(OLD + 16 * pair, sum);
      store<u64>(OLD + 16 * pair + 8, rotl<u64>(load<u64>(at + 8), <u64>turn) ^ sum);
    }
    for (let i: usize = 0; i < 8; i++) {
      store<u64>(WORDS + 8 * i, load<u64>(OLD + 8 * <usize>load<u8>(PERMUTATION + i)));
    }
  }
  addSubkey(18, position, type);
  for (let i: usize = 0; i < 64; i += 8) {
    store<u64>(CHAIN + i, load<u64>(WORDS + i) ^ load<u64>(block + i));
  }
}

/** Computes the chaining value before the message, from the configuration block. */
export function setUpSkein(): void {
  memory.fill(CHAIN, 0, 64);
  memory.fill(TAIL, 0, 64);
  store<u64>(TAIL, 0x0000000133414853); // version 1 of "SHA3"
  store<u64>(TAIL + 8, 256); // bits of the hash
  compress(TAIL, 32, CONFIGURATION | FIRST | FINAL);
  memory.copy(INITIAL, CHAIN, 64);
}

/** Writes the 32-byte hash of `length` bytes to `out`, which may be the data itself. */
export function skein256(out: usize, data: usize, length: usize): void {
  memory.copy(CHAIN, INITIAL, 64);
  let done: usize = 0;
  let first = FIRST;
  // The last block is compressed as such, even if it is whole.
  for (; length - done > 64; done += 64) {
    compress(data + done, <u64>(done + 64), MESSAGE | first);
    first = 0;
  }
  memory.fill(TAIL, 0, 64);
  memory.copy(TAIL, data + done, length - done);
  compress(TAIL, <u64>length, MESSAGE | first | FINAL);
  memory.fill(TAIL, 0, 64);
  compress(TAIL, 8, OUTPUT | FIRST | FINAL);
  memory.copy(out, CHAIN, 32);
}
