/**
 * The AES-based generators and the fingerprint of RandomX (specification, chapter 3). A state is four columns of 16
 * bytes; each passes through rounds of its own.
 */

import { column, double, S_BOX, setUpAes } from '../cryptonight/aes.ts';

/** Four tables of 256 words: column i of the inverse of MixColumns times the inverse S-box. */
const INVERSE_TABLES: usize = memory.data(4096, 64);

/** Hash512("RandomX AesGenerator1R keys"). */
const GENERATOR_1R_KEYS: usize = memory.data<u32>([
  0x6daca553, 0x62716609, 0xdbb5552b, 0xb4f44917, 0x6d7caf07, 0x846a710d, 0x1725d378, 0x0da1dc4e,
  0x3f1262f1, 0x9f947ec6, 0xf4c0794f, 0x3e20e345, 0x6aef8135, 0xb1ba317c, 0x16314c88, 0x49169154,
]);
/** Hash512("RandomX AesGenerator4R keys 0-3"), then the same for 4-7. */
const GENERATOR_4R_KEYS: usize = memory.data<u32>([
  0x6421aadd, 0xd1833ddb, 0x2f546d2b, 0x99e5d23f, 0xb20e3450, 0xb6913f55, 0x06f79d53, 0xa5dfcde5,
  0x5c3ed904, 0x515e7baf, 0x0aa4679f, 0x171c02bf, 0x85623763, 0xe78f5d08, 0xcd673785, 0xd8ded291,
  0xb5826f73, 0xe3d6a7a6, 0x3d518b6d, 0x229effb4, 0xc7566bf3, 0x9c10b3d9, 0xe9024d4e, 0xb272b7d2,
  0xf273c9e7, 0xf765a38b, 0x2ba9660a, 0xf63befa7, 0x7a7cd609, 0x915839de, 0x0c06d1fd, 0xc0b0762d,
]);
/** Hash512("RandomX AesHash1R state"). */
const HASH_STATE: usize = memory.data<u32>([
  0x92b52c0d, 0x9fa856de, 0xcc82db47, 0xd7983aad, 0x338d996e, 0x15c7b798, 0xf59e125a, 0xace78057,
  0x6a770017, 0xae62c7d0, 0x5079506b, 0xe8a07ce4, 0x630a240c, 0x07ad828d, 0x79a10005, 0x7e994948,
]);
/** Hash256("RandomX AesHash1R xkeys"). */
const HASH_KEYS: usize = memory.data<u32>([
  0xf6fa8389, 0x8b24949f, 0x90dc56bf, 0x06890201, 0x61b263d1, 0x51f4e03c, 0xee1043c6, 0xed18f99b,
]);

/** Bytes of a generator's state, and of what it makes at a time. */
const STATE_SIZE: usize = 64;

/** Computes the tables. */
export function setUpGenerators(): void {
  setUpAes();
  for (let i: usize = 0; i < 256; i++) {
    const s = <usize>load<u8>(S_BOX + i);
    const x = <u32>i;
    const x2 = double(x);
    const x4 = double(x2);
    const x8 = double(x4);
    const word = (x8 ^ x4 ^ x2) | ((x8 ^ x) << 8) | ((x8 ^ x4 ^ x) << 16) | ((x8 ^ x2 ^ x) << 24);
    for (let row: usize = 0; row < 4; row++) {
      store<u32>(INVERSE_TABLES + 1024 * row + 4 * s, rotl<u32>(word, 8 * <u32>row));
    }
  }
}

/** One column of an inverse round; `a` to `d` are the columns that its bytes come from. @inline */
function inverseColumn(a: u32, b: u32, c: u32, d: u32, key: u32): u32 {
  return (
    load<u32>(INVERSE_TABLES + ((a & 0xff) << 2)) ^
    load<u32>(INVERSE_TABLES + (((b >> 8) & 0xff) << 2), 1024) ^
    load<u32>(INVERSE_TABLES + (((c >> 16) & 0xff) << 2), 2048) ^
    load<u32>(INVERSE_TABLES + ((d >> 24) << 2), 3072) ^
    key
  );
}

/** An encryption round on 16 bytes. @inline */
function encrypt(to: usize, from: usize, key: usize): void {
  const a = load<u32>(from);
  const b = load<u32>(from, 4);
  const c = load<u32>(from, 8);
  const d = load<u32>(from, 12);
  store<u32>(to, column(a, b, c, d, load<u32>(key)));
  store<u32>(to, column(b, c, d, a, load<u32>(key, 4)), 4);
  store<u32>(to, column(c, d, a, b, load<u32>(key, 8)), 8);
  store<u32>(to, column(d, a, b, c, load<u32>(key, 12)), 12);
}

/** A decryption round on 16 bytes. @inline */
function decrypt(to: usize, from: usize, key: usize): void {
  const a = load<u32>(from);
  const b = load<u32>(from, 4);
  const c = load<u32>(from, 8);
  const d = load<u32>(from, 12);
  store<u32>(to, inverseColumn(a, d, c, b, load<u32>(key)));
  store<u32>(to, inverseColumn(b, a, d, c, load<u32>(key, 4)), 4);
  store<u32>(to, inverseColumn(c, b, a, d, load<u32>(key, 8)), 8);
  store<u32>(to, inverseColumn(d, c, b, a, load<u32>(key, 12)), 12);
}

/** AesGenerator1R: fills `size` bytes, a multiple of 64, and leaves the last state in `state`. */
export function generate1R(to: usize, size: usize, state: usize): void {
  let from = state;
  for (const end = to + size; to < end; to += STATE_SIZE) {
    decrypt(to, from, GENERATOR_1R_KEYS);
    encrypt(to + 16, from + 16, GENERATOR_1R_KEYS + 16);
    decrypt(to + 32, from + 32, GENERATOR_1R_KEYS + 32);
    encrypt(to + 48, from + 48, GENERATOR_1R_KEYS + 48);
    from = to;
  }
  memory.copy(state, from, STATE_SIZE);
}

/** AesGenerator4R: fills `size` bytes, a multiple of 64. */
export function generate4R(to: usize, size: usize, state: usize): void {
  let from = state;
  for (const end = to + size; to < end; to += STATE_SIZE) {
    for (let round: usize = 0; round < 64; round += 16) {
      decrypt(to, from, GENERATOR_4R_KEYS + round);
      encrypt(to + 16, from + 16, GENERATOR_4R_KEYS + round);
      decrypt(to + 32, from + 32, GENERATOR_4R_KEYS + 64 + round);
      encrypt(to + 48, from + 48, GENERATOR_4R_KEYS + 64 + round);
      from = to;
    }
  }
}

/** Mixes four registers of 16 bytes with the four at `keys`: each passes through four rounds, one for each key. */
export function mixRegisters(at: usize, keys: usize): void {
  for (let key = keys; key < keys + STATE_SIZE; key += 16) {
    encrypt(at, at, key);
    decrypt(at + 16, at + 16, key);
    encrypt(at + 32, at + 32, key);
    decrypt(at + 48, at + 48, key);
  }
}

/** AesHash1R: the 64-byte fingerprint of `size` bytes, a multiple of 64. */
export function fingerprint1R(to: usize, at: usize, size: usize): void {
  memory.copy(to, HASH_STATE, STATE_SIZE);
  for (const end = at + size; at < end; at += STATE_SIZE) {
    encrypt(to, to, at);
    decrypt(to + 16, to + 16, at + 16);
    encrypt(to + 32, to + 32, at + 32);
    decrypt(to + 48, to + 48, at + 48);
  }
  for (let round: usize = 0; round < 32; round += 16) {
    encrypt(to, to, HASH_KEYS + round);
    decrypt(to + 16, to + 16, HASH_KEYS + round);
    encrypt(to + 32, to + 32, HASH_KEYS + round);
    decrypt(to + 48, to + 48, HASH_KEYS + round);
  }
}
