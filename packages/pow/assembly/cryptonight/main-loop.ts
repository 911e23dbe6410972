/**
 * The memory-hard part of CryptoNight and its variants 1, 2 and R (CNS008; upstream src/crypto/slow-hash.c). Everything
 * starts from the 200-byte Keccak state.
 */

import { column, expandKey, pseudoRound } from './aes.ts';

/** Bytes of the scratchpad. */
export const SCRATCHPAD_SIZE: usize = 1 << 21;
/** The scratchpad's blocks of 16 bytes are addressed by these bits. */
const ADDRESS_MASK: usize = SCRATCHPAD_SIZE - 16;
const ITERATIONS: u32 = 1 << 19;
/** Bytes encrypted at once while the scratchpad is filled and read. */
const TEXT_SIZE: usize = 128;

const KEYS: usize = memory.data(160, 64);
const TEXT: usize = memory.data(128, 64);
/** The nine 32-bit registers of the random program. */
const REGISTERS: usize = memory.data(36, 64);
let scratchpad: usize = 0;

/** Sets the memory of the main loop: SCRATCHPAD_SIZE bytes at an address that is a multiple of 64. */
export function setScratchpad(address: usize): void {
  scratchpad = address;
}

/** The address of the registers that the random program works on. */
export function registers(): usize {
  return REGISTERS;
}

/** Fills the scratchpad with the encrypted text of the state. */
export function fill(state: usize): void {
  expandKey(KEYS, state);
  memory.copy(TEXT, state + 64, TEXT_SIZE);
  const end = scratchpad + SCRATCHPAD_SIZE;
  for (let at = scratchpad; at < end; at += TEXT_SIZE) {
    for (let i: usize = 0; i < TEXT_SIZE; i += 16) pseudoRound(TEXT + i, KEYS);
    memory.copy(at, TEXT, TEXT_SIZE);
  }
}

/** Folds the scratchpad back into the text of the state. */
export function drain(state: usize): void {
  expandKey(KEYS, state + 32);
  const text = state + 64;
  const end = scratchpad + SCRATCHPAD_SIZE;
  for (let at = scratchpad; at < end; at += TEXT_SIZE) {
    for (let i: usize = 0; i < TEXT_SIZE; i += 16) {
      store<u64>(text + i, load<u64>(text + i, 0) ^ load<u64>(at + i, 0), 0);
      store<u64>(text + i, load<u64>(text + i, 8) ^ load<u64>(at + i, 8), 8);
      pseudoRound(text + i, KEYS);
    }
  }
}

/** Upper half of a 64 × 64 bit product. @inline */
function multiplyHigh(a: u64, b: u64): u64 {
  const a0 = a & 0xffffffff;
  const a1 = a >> 32;
  const b0 = b & 0xffffffff;
  const b1 = b >> 32;
  const low = a0 * b1;
  const high = a1 * b0;
  const middle = ((a0 * b0) >> 32) + (low & 0xffffffff) + (high & 0xffffffff);
  return a1 * b1 + (low >> 32) + (high >> 32) + (middle >> 32);
}

/**
 * ⌊2·√(2^64 + n) - 2^33⌋, from an approximation that is off by one at most: with r = 2s + b, (r/2 + 2^32)^2 is
 * s(s + b) + b/4 + 2^32·r + 2^64. @inline
 */
function squareRoot(n: u64): u64 {
  const root = Math.sqrt(<f64>n + 18446744073709551616.0) * 2.0 - 8589934592.0;
  const r = <u64>root;
  const s = r >> 1;
  const b = r & 1;
  const square = s * (s + b) + (r << 32);
  if (square + b > n) return r - 1;
  return square + ((<u64>1) << 32) < n - s ? r + 1 : r;
}

/** Variant 1's change to byte 11 of a block, which is byte 3 of its upper half. @inline */
function twist(upper: u64): u64 {
  const byte = (<u32>(upper >> 24)) & 0xff;
  const index = (((byte >> 3) & 6) | (byte & 1)) << 1;
  return upper ^ ((<u64>((0x75310 >> index) & 0x30)) << 24);
}

/**
 * The main loop. `variant` is a constant, so that what the others need falls away. `tweak`: of variant 1. `slot`: index
 * of variant R's program in the table of functions. @inline
 */
function loop(variant: u32, state: usize, tweak: u64, slot: u32): void {
  let a0 = load<u64>(state, 0) ^ load<u64>(state, 32);
  let a1 = load<u64>(state, 8) ^ load<u64>(state, 40);
  let b0 = load<u64>(state, 16) ^ load<u64>(state, 48);
  let b1 = load<u64>(state, 24) ^ load<u64>(state, 56);
  // The block that b was one iteration ago, and variant 2's division and square root.
  let d0: u64 = 0;
  let d1: u64 = 0;
  let quotient: u64 = 0;
  let root: u64 = 0;
  if (variant >= 2) {
    d0 = load<u64>(state, 64) ^ load<u64>(state, 80);
    d1 = load<u64>(state, 72) ^ load<u64>(state, 88);
    quotient = load<u64>(state, 96);
    root = load<u64>(state, 104);
  }
  if (variant == 4) memory.copy(REGISTERS, state + 96, 16);
  for (let i: u32 = 0; i < ITERATIONS; i++) {
    // First half: one AES round of the block that a points to
    let at = scratchpad + ((<usize>a0) & ADDRESS_MASK);
    const w = load<u32>(at, 0);
    const x = load<u32>(at, 4);
    const y = load<u32>(at, 8);
    const z = load<u32>(at, 12);
    let c0 =
      (<u64>column(w, x, y, z, <u32>a0)) | ((<u64>column(x, y, z, w, <u32>(a0 >> 32))) << 32);
    let c1 =
      (<u64>column(y, z, w, x, <u32>a1)) | ((<u64>column(z, w, x, y, <u32>(a1 >> 32))) << 32);
    if (variant >= 2) {
      const p0 = load<u64>(at ^ 16, 0);
      const p1 = load<u64>(at ^ 16, 8);
      const q0 = load<u64>(at ^ 32, 0);
      const q1 = load<u64>(at ^ 32, 8);
      const r0 = load<u64>(at ^ 48, 0);
      const r1 = load<u64>(at ^ 48, 8);
      store<u64>(at ^ 16, r0 + d0, 0);
      store<u64>(at ^ 16, r1 + d1, 8);
      store<u64>(at ^ 32, p0 + b0, 0);
      store<u64>(at ^ 32, p1 + b1, 8);
      store<u64>(at ^ 48, q0 + a0, 0);
      store<u64>(at ^ 48, q1 + a1, 8);
      if (variant == 4) {
        c0 ^= p0 ^ q0 ^ r0;
        c1 ^= p1 ^ q1 ^ r1;
      }
    }
    store<u64>(at, b0 ^ c0, 0);
    store<u64>(at, variant == 1 ? twist(b1 ^ c1) : b1 ^ c1, 8);

    // Second half: the product of the result with the block that it points to
    at = scratchpad + ((<usize>c0) & ADDRESS_MASK);
    let e0 = load<u64>(at, 0);
    const e1 = load<u64>(at, 8);
    let f0 = a0;
    let f1 = a1;
    if (variant == 2) {
      e0 ^= quotient ^ (root << 32);
      const divisor = <u64>((<u32>c0 + <u32>(root << 1)) | 0x80000001);
      const whole = c1 / divisor;
      quotient = (whole & 0xffffffff) + ((c1 - whole * divisor) << 32);
      root = squareRoot(c0 + quotient);
    }
    if (variant == 4) {
      const sum0 = load<u32>(REGISTERS, 0) + load<u32>(REGISTERS, 4);
      const sum1 = load<u32>(REGISTERS, 8) + load<u32>(REGISTERS, 12);
      e0 ^= (<u64>sum0) | ((<u64>sum1) << 32);
      store<u32>(REGISTERS, <u32>a0, 16);
      store<u32>(REGISTERS, <u32>a1, 20);
      store<u32>(REGISTERS, <u32>b0, 24);
      store<u32>(REGISTERS, <u32>d0, 28);
      store<u32>(REGISTERS, <u32>d1, 32);
      call_indirect<void>(slot);
      f0 ^= load<u64>(REGISTERS, 8);
      f1 ^= load<u64>(REGISTERS, 0);
    }
    let high = multiplyHigh(c0, e0);
    let low = c0 * e0;
    if (variant >= 2) {
      let p0 = load<u64>(at ^ 16, 0);
      let p1 = load<u64>(at ^ 16, 8);
      const q0 = load<u64>(at ^ 32, 0);
      const q1 = load<u64>(at ^ 32, 8);
      const r0 = load<u64>(at ^ 48, 0);
      const r1 = load<u64>(at ^ 48, 8);
      if (variant == 2) {
        p0 ^= high;
        p1 ^= low;
        high ^= q0;
        low ^= q1;
      }
      store<u64>(at ^ 16, r0 + d0, 0);
      store<u64>(at ^ 16, r1 + d1, 8);
      store<u64>(at ^ 32, p0 + b0, 0);
      store<u64>(at ^ 32, p1 + b1, 8);
      store<u64>(at ^ 48, q0 + a0, 0);
      store<u64>(at ^ 48, q1 + a1, 8);
      if (variant == 4) {
        c0 ^= p0 ^ q0 ^ r0;
        c1 ^= p1 ^ q1 ^ r1;
      }
    }
    f0 += high;
    f1 += low;
    store<u64>(at, f0, 0);
    store<u64>(at, variant == 1 ? f1 ^ tweak : f1, 8);
    a0 = f0 ^ e0;
    a1 = f1 ^ e1;
    if (variant >= 2) {
      d0 = b0;
      d1 = b1;
    }
    b0 = c0;
    b1 = c1;
  }
}

export function mix0(state: usize): void {
  loop(0, state, 0, 0);
}

export function mix1(state: usize, tweak: u64): void {
  loop(1, state, tweak, 0);
}

export function mix2(state: usize): void {
  loop(2, state, 0, 0);
}

/** CryptoNight-R; `slot` as in loop. */
export function mixR(state: usize, slot: u32): void {
  loop(4, state, 0, slot);
}
