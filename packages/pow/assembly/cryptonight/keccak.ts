/**
 * Keccak with all 200 bytes of the state as its output: CryptoNight's way in, and its permutation on the way out.
 * Names of the steps are those of the Keccak reference (Bertoni, Daemen, Peeters, Van Assche).
 */

/** Bytes of the state: 25 lanes of 64 bits, lane (x, y) at index x + 5y. */
export const STATE_SIZE: usize = 200;

const RATE: usize = 136;
const ROUNDS: usize = 24;
const ROUND_CONSTANTS: usize = memory.data(192, 16);
const PARITIES: usize = memory.data(40, 16);
const MOVED: usize = memory.data(200, 16);

/**
 * Computes the constants of the ι step: bit 2^j - 1 of constant i is output 7i + j of the shift register
 * x^8 + x^6 + x^5 + x^4 + 1 started at 1.
 */
export function setUpKeccak(): void {
  let register: u32 = 1;
  for (let i: usize = 0; i < ROUNDS; i++) {
    let constant: u64 = 0;
    for (let j: u64 = 0; j < 7; j++) {
      if (register & 1) constant |= (<u64>1) << (((<u64>1) << j) - 1);
      register <<= 1;
      if (register & 0x100) register ^= 0x171;
    }
    store<u64>(ROUND_CONSTANTS + 8 * i, constant);
  }
}

/** Lane `index` of what stands at `lanes`. @inline */
function lane(lanes: usize, index: usize): u64 {
  return load<u64>(lanes + 8 * index);
}

/** The permutation Keccak-f[1600] on the 25 lanes at `state`; two a hash, so that it may be short. */
export function permute(state: usize): void {
  for (let round: usize = 0; round < ROUNDS; round++) {
    // θ
    for (let x: usize = 0; x < 5; x++) {
      let parity: u64 = 0;
      for (let y: usize = 0; y < 25; y += 5) parity ^= lane(state, x + y);
      store<u64>(PARITIES + 8 * x, parity);
    }
    // θ's second half, ρ and π: lane (x, y) is turned and moved to (y, 2x + 3y)
    for (let x: usize = 0; x < 5; x++) {
      const d = lane(PARITIES, (x + 4) % 5) ^ rotl<u64>(lane(PARITIES, (x + 1) % 5), 1);
      for (let y: usize = 0; y < 25; y += 5) {
        store<u64>(state + 8 * (x + y), lane(state, x + y) ^ d);
      }
    }
    store<u64>(MOVED, lane(state, 0));
    let x: usize = 1;
    let y: usize = 0;
    for (let t: u64 = 0; t < 24; t++) {
      const turned = rotl<u64>(lane(state, x + 5 * y), ((t + 1) * (t + 2)) / 2);
      const row = (x * 2 + y * 3) % 5;
      x = y;
      y = row;
      store<u64>(MOVED + 8 * (x + 5 * y), turned);
    }
    // χ
    for (let row: usize = 0; row < 25; row += 5) {
      for (let i: usize = 0; i < 5; i++) {
        const next = lane(MOVED, row + ((i + 1) % 5));
        const second = lane(MOVED, row + ((i + 2) % 5));
        store<u64>(state + 8 * (row + i), lane(MOVED, row + i) ^ (~next & second));
      }
    }
    // ι
    store<u64>(state, lane(state, 0) ^ lane(ROUND_CONSTANTS, round));
  }
}

/** Fills the 200 bytes at `state` from `length` bytes, padded 0x01 … 0x80 as before SHA-3. */
export function absorb(state: usize, data: usize, length: usize): void {
  memory.fill(state, 0, STATE_SIZE);
  let rest = length;
  for (; rest >= RATE; rest -= RATE) {
    for (let i: usize = 0; i < RATE; i += 8) {
      store<u64>(state + i, load<u64>(state + i) ^ load<u64>(data + i));
    }
    permute(state);
    data += RATE;
  }
  for (let i: usize = 0; i < rest; i++) {
    store<u8>(state + i, load<u8>(state + i) ^ load<u8>(data + i));
  }
  store<u8>(state + rest, load<u8>(state + rest) ^ 0x01);
  store<u8>(state + RATE - 1, load<u8>(state + RATE - 1) ^ 0x80);
  permute(state);
}
