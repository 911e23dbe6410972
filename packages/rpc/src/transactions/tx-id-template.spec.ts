import { fromHex, toHex } from '@monero-node/codec';
import { compareReversed, isTemplate, matchesTemplate } from './tx-id-template.ts';

/** An id that ends in these bytes and is zero before them. */
const endingIn = (hex: string): Uint8Array => fromHex(hex.padStart(64, '0'));

const ID = endingIn('0abcdef1234567890abcdef1234567890abcdef1234567890abcdef123456789');

/** Templates of that id by number of bits. Source: tests/unit_tests/lmdb.cpp of monero. */
const TEMPLATES: readonly (readonly [bits: number, ending: string])[] = [
  ...([
    [0, ''],
    [1, '80'],
    [2, '80'],
    [3, '80'],
    [4, '80'],
    [5, '88'],
    [6, '88'],
  ] as const),
  ...([
    [7, '88'],
    [8, '89'],
    [9, '0089'],
    [10, '4089'],
    [11, '6089'],
    [12, '6089'],
  ] as const),
  ...([
    [13, '6089'],
    [14, '6489'],
    [15, '6689'],
    [16, '6789'],
    [32, '23456789'],
  ] as const),
  [64, '0abcdef123456789'],
  [128, '0abcdef1234567890abcdef123456789'],
  [256, '0abcdef1234567890abcdef1234567890abcdef1234567890abcdef123456789'],
];

/** An id as a number, lowest byte first. */
const numberOf = (id: Uint8Array): bigint => BigInt(`0x${toHex(Uint8Array.from(id).reverse())}`);

describe('templates of ids', () => {
  test.each(TEMPLATES)('%i bits', (bits, ending) => {
    const template = endingIn(ending);
    expect(matchesTemplate(ID, template, bits)).toBe(true);
    expect(isTemplate(template, bits)).toBe(true);
    expect(isTemplate(ID, bits)).toBe(bits === 256);
  });

  test('compares exactly the given number of bits', () => {
    for (let bit = 0; bit < 256; bit++) {
      const other = ID.slice();
      // Bit 0 is the highest of the last byte.
      other[31 - (bit >> 3)] = (other[31 - (bit >> 3)] ?? 0) ^ (0x80 >> (bit & 7));
      expect(matchesTemplate(other, ID, bit)).toBe(true);
      expect(matchesTemplate(other, ID, bit + 1)).toBe(false);
      const single = new Uint8Array(32);
      single[31 - (bit >> 3)] = 0x80 >> (bit & 7);
      expect(isTemplate(single, bit)).toBe(false);
      expect(isTemplate(single, bit + 1)).toBe(true);
      expect(Math.sign(compareReversed(ID, other))).toBe(numberOf(ID) < numberOf(other) ? -1 : 1);
    }
    expect(compareReversed(ID, ID.slice())).toBe(0);
  });
});
