import { PowInputError } from '../errors.ts';
import { CRYPTONIGHT_VECTORS } from '../testing/cryptonight-vectors.ts';
import { CryptonightEngine } from './engine.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('CryptoNight', () => {
  const engine = new CryptonightEngine();

  test.each(CRYPTONIGHT_VECTORS)(
    'variant $variant, height $height: $hash',
    ({ variant, height, blob, hash }) => {
      expect(hex(engine.hash(variant, height, Buffer.from(blob, 'hex')))).toBe(hash);
    },
  );

  test('a program stays that of its height when heights alternate', () => {
    const vectors = CRYPTONIGHT_VECTORS.filter(({ variant }) => variant === 4).slice(0, 2);
    for (const { height, blob, hash } of [...vectors, ...vectors]) {
      expect(hex(engine.hash(4, height, Buffer.from(blob, 'hex')))).toBe(hash);
    }
  });

  test('variant 1 refuses what is too short for its tweak, and goes on', () => {
    expect(() => engine.hash(1, 0, new Uint8Array(42))).toThrow(PowInputError);
    expect(hex(engine.hash(1, 0, new Uint8Array(43)))).toBe(
      'b5a7f63abb94d07d1a6445c36c07c7e8327fe61b1647e391b4c7edae5de57a3d',
    );
  });

  test('the memory grows for a long blob, and not without bound', () => {
    expect(engine.hash(0, 0, new Uint8Array(300_000))).toHaveLength(32);
    expect(() => engine.hash(0, 0, new Uint8Array(16 * 1024 * 1024 + 1))).toThrow(PowInputError);
    expect(
      hex(engine.hash(0, 0, Buffer.from('6578206e6968696c6f206e6968696c20666974', 'hex'))),
    ).toBe('b1257de4efc5ce28c6b40ceb1c6c8f812a64634eb3e81c5220bee9b2b76a6f05');
  });
});
