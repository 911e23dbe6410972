/** Grøstl-256 (Gauravaram and others; SHA-3 finalist). A state is eight columns of eight bytes. */

import { double, S_BOX } from './aes.ts';

const CHAIN: usize = memory.data(64, 16);
const SUM: usize = memory.data(64, 16);
const MESSAGE: usize = memory.data(64, 16);
const SHIFTED: usize = memory.data(8, 16);
const OLD: usize = memory.data(64, 16);
const TAIL: usize = memory.data(128, 16);

const ROUNDS: u32 = 10;
/** Positions that row i is shifted to the left by, in P and in Q. */
const SHIFTS_P: usize = memory.data<u8>([0, 1, 2, 3, 4, 5, 6, 7]);
const SHIFTS_Q: usize = memory.data<u8>([1, 3, 5, 7, 0, 2, 4, 6]);
/** First row of the circulant matrix of MixBytes. */
const MATRIX: usize = memory.data<u8>([2, 2, 3, 4, 5, 3, 5, 7]);

/** `x` times a number below 8 in the field of AES. */
function multiply(x: u32, factor: u32): u32 {
  const twice = double(x);
  let product: u32 = factor & 1 ? x : 0;
  if (factor & 2) product ^= twice;
  if (factor & 4) product ^= double(twice);
  return product;
}

/** AddRoundConstant of P: the first row. */
function addConstantP(state: usize, round: u32): void {
  for (let j: u32 = 0; j < 8; j++) {
    store<u8>(state + 8 * j, load<u8>(state + 8 * j) ^ (<u8>((j << 4) ^ round)));
  }
}

/** AddRoundConstant of Q: all bits are turned, and the last row gets the rest. */
function addConstantQ(state: usize, round: u32): void {
  for (let j: u32 = 0; j < 8; j++) {
    store<u64>(state + 8 * j, ~load<u64>(state + 8 * j));
    store<u8>(state + 8 * j + 7, load<u8>(state + 8 * j + 7) ^ (<u8>((j << 4) ^ round)));
  }
}

/** SubBytes, ShiftBytes and MixBytes. */
function substituteAndMix(state: usize, shifts: usize): void {
  memory.copy(OLD, state, 64);
  for (let j: usize = 0; j < 8; j++) {
    for (let i: usize = 0; i < 8; i++) {
      const from = (j + <usize>load<u8>(shifts + i)) & 7;
      store<u8>(SHIFTED + i, load<u8>(S_BOX + <usize>load<u8>(OLD + 8 * from + i)));
    }
    for (let i: usize = 0; i < 8; i++) {
      let sum: u32 = 0;
      for (let k: usize = 0; k < 8; k++) {
        sum ^= multiply(load<u8>(SHIFTED + k), load<u8>(MATRIX + ((k - i) & 7)));
      }
      store<u8>(state + 8 * j + i, <u8>sum);
    }
  }
}

function permuteP(state: usize): void {
  for (let round: u32 = 0; round < ROUNDS; round++) {
    addConstantP(state, round);
    substituteAndMix(state, SHIFTS_P);
  }
}

function permuteQ(state: usize): void {
  for (let round: u32 = 0; round < ROUNDS; round++) {
    addConstantQ(state, round);
    substituteAndMix(state, SHIFTS_Q);
  }
}

function xor(target: usize, other: usize): void {
  for (let i: usize = 0; i < 64; i += 8) {
    store<u64>(target + i, load<u64>(target + i) ^ load<u64>(other + i));
  }
}

/** CHAIN becomes P(CHAIN ⊕ m) ⊕ Q(m) ⊕ CHAIN. */
function compress(block: usize): void {
  memory.copy(MESSAGE, block, 64);
  memory.copy(SUM, block, 64);
  xor(SUM, CHAIN);
  permuteP(SUM);
  permuteQ(MESSAGE);
  xor(CHAIN, SUM);
  xor(CHAIN, MESSAGE);
}

/** Writes the 32-byte hash of `length` bytes to `out`, which may be the data itself. */
export function groestl256(out: usize, data: usize, length: usize): void {
  memory.fill(CHAIN, 0, 64);
  store<u8>(CHAIN + 62, 0x01); // 256 bits, big-endian
  const rest = length % 64;
  const whole = length - rest;
  for (let done: usize = 0; done < whole; done += 64) compress(data + done);
  const tail: usize = rest < 56 ? 64 : 128;
  memory.fill(TAIL, 0, 128);
  memory.copy(TAIL, data + whole, rest);
  store<u8>(TAIL + rest, 0x80);
  store<u64>(TAIL + tail - 8, bswap<u64>(<u64>((whole + tail) / 64)));
  for (let done: usize = 0; done < tail; done += 64) compress(TAIL + done);
  memory.copy(SUM, CHAIN, 64);
  permuteP(SUM);
  xor(CHAIN, SUM);
  memory.copy(out, CHAIN + 32, 32);
}
