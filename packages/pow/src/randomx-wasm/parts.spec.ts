import { blake2b } from '@noble/hashes/blake2.js';
import { randomxParts } from '../testing/randomx-parts.ts';
import { BlakeGenerator } from './blake-generator.ts';
import { reciprocal } from './reciprocal.ts';
import { generateSuperscalar } from './superscalar-generator.ts';
import { OPERATIONS, type SuperscalarProgram } from './superscalar-instructions.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const parts = randomxParts();
const memory = new Uint8Array(parts.memory.buffer);
const at = parts.data();

test('Blake2b of RFC 7693, appendix A', () => {
  expect(hex(blake2b(utf8('abc'), { dkLen: 64 }))).toBe(
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1' +
      '7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
  );
});

/** Of the reference implementation's tests. */
const RECIPROCALS: [number, bigint][] = [
  [3, 12297829382473034410n],
  [13, 11351842506898185609n],
  [33, 17887751829051686415n],
  [65537, 18446462603027742720n],
  [15000001, 10316166306300415204n],
  [3845182035, 10302264209224146340n],
  [0xffffffff, 9223372039002259456n],
];

test.each(RECIPROCALS)('reciprocal of %i', (divisor, wanted) => {
  expect(reciprocal(divisor)).toBe(wanted);
  expect(BigInt.asUintN(64, parts.reciprocal(divisor))).toBe(wanted);
});

describe('AES', () => {
  test('AesGenerator1R: the vector of the reference implementation', () => {
    const state = '6c19536eb2de31b6c0065f7f116e86f960d8af0c57210a6584c3237b9d064dc7';
    memory.fill(0, at, at + 64).set(Buffer.from(state, 'hex'), at);
    parts.generate1R(at + 64, 64, at);
    const wanted = 'fa89397dd6ca422513aeadba3f124b5540324c4ad4b6db434394307a17c833ab';
    expect(hex(memory.subarray(at + 64, at + 96))).toBe(wanted);
    expect(memory.subarray(at, at + 64)).toEqual(memory.subarray(at + 64, at + 128));
  });

  const times = (a: number, b: number): number => {
    let product = 0;
    for (let bit = 7; bit >= 0; bit--) {
      product = (product << 1) ^ (product & 0x80 ? 0x11b : 0);
      if ((b >> bit) & 1) product ^= a;
    }
    return product;
  };
  const bytes = Array.from({ length: 256 }, (_, i) => i);
  /** FIPS 197, 5.1.1, without tables. */
  const sBox = bytes.map((x) => {
    const inverse = bytes.find((y) => times(x, y) === 1) ?? 0;
    const turns = [0, 1, 2, 3, 4].map((n) => (inverse << n) | (inverse >> (8 - n)));
    return (turns.reduce((a, b) => a ^ b) ^ 0x63) & 0xff;
  });
  const inverseSBox = bytes.map((x) => sBox.indexOf(x));

  /** One round byte by byte; `step` is how far row 1 moves. */
  function round(state: Uint8Array, key: Uint8Array, isInverse: boolean): Uint8Array {
    const box = isInverse ? inverseSBox : sBox;
    const factors = isInverse ? [14, 11, 13, 9] : [2, 3, 1, 1];
    const step = isInverse ? 3 : 1;
    const moved = state.map(
      (_, i) => box[state[(4 * ((i >> 2) + step * (i % 4)) + (i % 4)) % 16]!]!,
    );
    return state.map((_, i) => {
      const column = i & ~3;
      const terms = factors.map((factor, j) => times(moved[column + ((i + j) % 4)]!, factor));
      return terms.reduce((a, b) => a ^ b) ^ key[i]!;
    });
  }

  const columns = (data: Uint8Array) =>
    [0, 16, 32, 48].map((start) => data.subarray(start, start + 16));
  const column = (data: Uint8Array, i: number) => data.subarray(16 * i, 16 * i + 16);
  const join = (list: readonly Uint8Array[]) => Uint8Array.from(list.flatMap((part) => [...part]));
  const input = blake2b(utf8('input'), { dkLen: 64 });

  test('AesGenerator4R is four rounds with the keys of the specification', () => {
    const keys = ['0-3', '4-7'].map((name) =>
      blake2b(utf8(`RandomX AesGenerator4R keys ${name}`), { dkLen: 64 }),
    );
    let state = input;
    for (let i = 0; i < 2; i++) {
      for (let j = 0; j < 4; j++) {
        const next = columns(state).map((part, k) =>
          round(part, column(keys[k >> 1]!, j), k % 2 === 0),
        );
        state = join(next);
      }
    }
    memory.set(input, at);
    parts.generate4R(at + 64, 128, at);
    expect(hex(memory.subarray(at + 128, at + 192))).toBe(hex(state));
  });

  test('registers are mixed with four rounds each, one for each key', () => {
    const keys = blake2b(input, { dkLen: 64 });
    let state = columns(input);
    for (const key of columns(keys)) {
      state = state.map((part, i) => round(part, key, i % 2 === 1));
    }
    memory.set(input, at);
    memory.set(keys, at + 64);
    parts.mixRegisters(at, at + 64);
    expect(hex(memory.subarray(at, at + 64))).toBe(hex(join(state)));
    expect(hex(memory.subarray(at + 64, at + 128))).toBe(hex(keys));
  });

  test('AesHash1R has rounds keyed by the input and the specification', () => {
    const extra = blake2b(utf8('RandomX AesHash1R xkeys'), { dkLen: 32 });
    const blocks = [input, blake2b(input, { dkLen: 64 })];
    let state = columns(blake2b(utf8('RandomX AesHash1R state'), { dkLen: 64 }));
    for (const block of blocks) {
      state = state.map((part, i) => round(part, column(block, i), i % 2 === 1));
    }
    for (let i = 0; i < 2; i++) {
      state = state.map((part, k) => round(part, column(extra, i), k % 2 === 1));
    }
    memory.set(join(blocks), at);
    parts.fingerprint1R(at + 128, at, 128);
    expect(hex(memory.subarray(at + 128, at + 192))).toBe(hex(join(state)));
  });
});

describe('SuperscalarHash', () => {
  /** As the reference implementation keeps instructions: operation, destination, source, mod, immediate. */
  function encode({ instructions }: SuperscalarProgram): Uint8Array {
    const encoded = new DataView(new ArrayBuffer(8 * instructions.length));
    for (const [i, instruction] of instructions.entries()) {
      const { operation, destination, source, mod, immediate } = instruction;
      for (const [j, byte] of [OPERATIONS[operation], destination, source, mod].entries()) {
        encoded.setUint8(8 * i + j, byte);
      }
      encoded.setUint32(8 * i + 4, immediate, true);
    }
    return new Uint8Array(encoded.buffer);
  }

  test('programs of the reference implementation', () => {
    const random = new BlakeGenerator(utf8('test key 000'));
    const hashes = Array.from({ length: 10 }, () =>
      hex(blake2b(encode(generateSuperscalar(random)), { dkLen: 32 })),
    );
    expect(hashes).toEqual([
      'd3a4a6623738756f77e6104469102f082eff2a3e60be7ad696285ef7dfc72a61',
      'f5e7e0bbc7e93c609003d6359208688070afb4a77165a552ff7be63b38dfbc86',
      '85ed8b11734de5b3e9836641413a8f36e99e89694f419c8cd25c3f3f16c40c5a',
      '5dd956292cf5d5704ad99e362d70098b2777b2a1730520be52f772ca48cd3bc0',
      '6f14018ca7d519e9b48d91af094c0f2d7e12e93af0228782671a8640092af9e5',
      '134be097c92e2c45a92f23208cacd89e4ce51f1009a0b900dbe83b38de11d791',
      '268f9392c20c6e31371a5131f82bd7713d3910075f2f0468baafaa1abd2f3187',
      'c668a05fd909714ed4a91e8d96d67b17e44329e88bc71e0672b529a3fc16be47',
      '99739351315840963011e4c5d8e90ad0bfed3facdcb713fe8f7138fbf01c4c94',
      '14ab53d61880471f66e80183968d97effd5492b406876060e595fcf9682f9295',
    ]);
  });

  test('a key has at most 60 bytes', () => {
    expect(() => new BlakeGenerator(new Uint8Array(61))).toThrow(RangeError);
  });
});
