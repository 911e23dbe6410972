// Keccak-256 without WebAssembly. The smallest code that is not slow: programs contain it for pages and engines that forbid
// WebAssembly. A lane of 64 bits is two words of 32, the lower one first.

const LANES = 25;
const ROUNDS = 24;
/** Bytes of a block. */
const RATE = 136;

/** The constants of iota: bit 2^j - 1 of round r is bit 7r + j of a shift register. FIPS 202, 3.2.5. */
function roundConstants(): Int32Array {
  const constants = new Int32Array(2 * ROUNDS);
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    for (let j = 0; j < 7; j++) {
      const bit = 2 ** j - 1;
      if ((register & 1) === 1) {
        const word = 2 * round + (bit >> 5);
        constants[word] = (constants[word] ?? 0) ^ (1 << (bit % 32));
      }
      register <<= 1;
      if (register > 255) register ^= 0x171;
    }
  }
  return constants;
}

/** The steps of rho and pi: each moves a lane to another place and rotates it. FIPS 202, 3.2.2 and 3.2.3. */
function laneMoves(): readonly (readonly [to: number, rotation: number])[] {
  const moves: [number, number][] = [];
  let [x, y] = [1, 0];
  for (let t = 0; t < LANES - 1; t++) {
    [x, y] = [y, (2 * x + 3 * y) % 5];
    moves.push([2 * (x + 5 * y), (((t + 1) * (t + 2)) / 2) % 64]);
  }
  return moves;
}

const CONSTANTS = /* @__PURE__ */ roundConstants();
const MOVES = /* @__PURE__ */ laneMoves();

/** Returns the words of a lane rotated to the left by 0 to 63 bits. */
function rotated(low: number, high: number, by: number): [number, number] {
  if (by >= 32) return rotated(high, low, by - 32);
  if (by === 0) return [low, high];
  return [(low << by) | (high >>> (32 - by)), (high << by) | (low >>> (32 - by))];
}

/** Replaces the state by its permutation Keccak-f[1600]. */
function permute(s: Int32Array): void {
  const at = (i: number): number => s[i] as number;
  const row = new Int32Array(10);
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < 10; i++) row[i] = at(i) ^ at(i + 10) ^ at(i + 20) ^ at(i + 30) ^ at(i + 40);
    for (let x = 0; x < 10; x += 2) {
      const next = (x + 2) % 10;
      const turned = rotated(row[next] as number, row[next + 1] as number, 1);
      for (const half of [0, 1] as const) {
        const change = (row[((x + 8) % 10) + half] as number) ^ turned[half];
        for (let i = x + half; i < 50; i += 10) s[i] = at(i) ^ change;
      }
    }
    let [low, high] = [at(2), at(3)];
    for (const [to, by] of MOVES) {
      const turned = rotated(low, high, by);
      [low, high] = [at(to), at(to + 1)];
      [s[to], s[to + 1]] = turned;
    }
    for (let y = 0; y < 50; y += 10) {
      row.set(s.subarray(y, y + 10));
      for (let i = 0; i < 10; i++) {
        s[y + i] = at(y + i) ^ (~(row[(i + 2) % 10] as number) & (row[(i + 4) % 10] as number));
      }
    }
    s[0] = at(0) ^ (CONSTANTS[2 * round] as number);
    s[1] = at(1) ^ (CONSTANTS[2 * round + 1] as number);
  }
}

/** Returns Keccak-256 with the original padding byte 0x01: any length in, 32 bytes out. */
export function portableKeccak256(data: Uint8Array): Uint8Array {
  const state = new Int32Array(2 * LANES);
  const padded = new Uint8Array(RATE * Math.ceil((data.length + 1) / RATE));
  padded.set(data);
  padded[data.length] = 1;
  padded[padded.length - 1] = (padded[padded.length - 1] as number) | 0x80;
  const words = new DataView(padded.buffer);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let i = 0; i < RATE / 4; i++) {
      state[i] = (state[i] as number) ^ words.getInt32(block + 4 * i, true);
    }
    permute(state);
  }
  const hash = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 8; i++) hash.setInt32(4 * i, state[i] as number, true);
  return new Uint8Array(hash.buffer);
}
